// SPDX-License-Identifier: Apache-2.0
#include "runtime/stream_order.h"

#include "runtime/engine.h"

namespace clcuda {

void wait_for(Engine& engine, cuda::Stream& stream, const std::vector<cuda::Stream*>& others) {
  for (cuda::Stream* other : others) {
    const cuda::Event reached = engine.events().take();
    other->record(reached);
    stream.wait(reached);
  }
}

}  // namespace clcuda
