// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/host_transfer.h"
#include "runtime/lent_stream.h"

namespace clcuda {

// Gives a new memory object of a context's first device its memory, by `place(stream)`, which answers what is to be transferred there:
// `size` bytes, or none. What cannot be had is an error of the creation; the contents are taken when this returns, since the application
// may change its memory afterwards, and whoever uses `storage` finds them there.
template <typename Storage, typename Place>
void bring_first_contents(Engine& engine, Storage& storage, std::size_t size, const Place& place) {
  engine.require_alive();
  cuda::Current current(engine.context());
  try {
    if (size && worth_packing(engine, size, true)) {
      cuda::Stream& stream = engine.upload_stream();
      record_taken(engine, stream, place(stream));
      return storage.order_others_behind(0, stream);
    }
    const LentStream stream(engine);
    const HostTransfer transfer = place(*stream);
    if (size) run_staged(engine, *stream, transfer);
  } catch (const std::exception& error) {
    engine.note(error);
    throw;
  }
}

}  // namespace clcuda
