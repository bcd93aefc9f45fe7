// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/lent_stream.h"

namespace clcuda {

// Runs `bring(stream)`, which gives a new memory object of the engine's device its memory and its first contents. What cannot be had is
// an error of the creation; the contents are taken when this returns, since the application may change its memory afterwards.
template <typename Bring>
void bring_first_contents(Engine& engine, const Bring& bring) {
  engine.require_alive();
  cuda::Current current(engine.context());
  const LentStream stream(engine);
  try {
    bring(*stream);
  } catch (const std::exception& error) {
    engine.note(error);
    throw;
  }
}

}  // namespace clcuda
