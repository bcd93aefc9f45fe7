// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/scoped_stream.h"
#include "runtime/memory/host_transfer.h"

namespace clcuda {

// Gives a new memory object of a context's first device its memory, by `place(stream)`, which answers what is
// to be transferred there: `size` bytes, or none. What cannot be had is an error of the creation; the
// contents are taken when this returns, since the application may change its memory afterwards, and whoever
// uses `storage` finds them there.
template <typename Storage, typename Place>
void bring_first_contents(DeviceResources& resources, Storage& storage, std::size_t size,
                          const Place& place) {
  resources.require_alive();
  cuda::Current current(resources.context());
  try {
    if (size && worth_packing(resources, size, true)) {
      cuda::Stream& stream = resources.streams().upload();
      record_taken(resources, stream, place(stream));
      return storage.order_others_behind(0, stream);
    }
    const ScopedStream stream(resources);
    const HostTransfer transfer = place(*stream);
    if (size) run_staged(resources, *stream, transfer);
  } catch (const std::exception& error) {
    resources.report_error(error);
    throw;
  }
}

}  // namespace clcuda
