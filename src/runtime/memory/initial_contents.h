// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/scoped_stream.h"
#include "runtime/memory/host_transfer.h"

namespace clcuda {

// Allocates a new memory object on a device, whose Context::memory_index() is `index`, and transfers its initial contents: `size` bytes, or
// none. `place(stream)` allocates the memory and returns the transfer. Throws if memory is lacking, so that the creation of the object
// fails. On return the contents have been read, because the application may then change its memory, and all later uses of `storage` are
// ordered after the transfer.
template <typename Storage, typename Place>
void bring_first_contents(DeviceResources& resources, std::size_t index, Storage& storage, std::size_t size,
                          const Place& place) {
  resources.require_alive();
  cuda::Current current(resources.context());
  try {
    if (size && worth_packing(resources, size, true)) {
      cuda::Stream& stream = resources.streams().upload();
      HostTransfer transfer = place(stream);
      transfer.memory = host_memory_of(resources, transfer);
      record_taken(resources, stream, transfer);
      return storage.order_others_behind(index, stream);
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
