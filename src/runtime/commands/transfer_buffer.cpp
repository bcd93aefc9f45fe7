// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/transfer_buffer.h"

#include "runtime/command_queue.h"

namespace clcuda {
namespace {

// One past the last byte of the box, from its beginning on the device.
std::size_t extent(const HostTransfer& t) {
  return (t.region[2] - 1) * t.device.slice_pitch + (t.region[1] - 1) * t.device.row_pitch + t.region[0];
}

}  // namespace

HostTransfer placed(const HostTransfer& transfer, const CommandQueue& queue, cuda::Stream& stream,
                    Buffer& buffer) {
  HostTransfer placed = transfer;
  const std::size_t offset = placed.device.device, size = extent(placed);
  const bool gaps = size != placed.size();
  const Access access = !placed.to_device ? Access::read : gaps ? Access::write : Access::overwrite;
  placed.device.device = buffer.use(queue.device_index(), stream, offset, size, access) + offset;
  return placed;
}

void TransferBuffer::order_others_behind(cuda::Stream& stream) {
  buffer_->order_others_behind(queue()->device_index(), stream);
}

void TransferBuffer::release_resources() noexcept {
  buffer_ = {};
  Transfer::release_resources();
}

}  // namespace clcuda
