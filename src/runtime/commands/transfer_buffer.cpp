// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/transfer_buffer.h"

#include "runtime/queue/command_queue.h"

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

namespace {

bool write_directly(CommandQueue& queue, Buffer& buffer, const HostTransfer& transfer, bool blocking) {
  const auto record = [&](cuda::Stream& stream) {
    record_taken(queue.resources(), stream, placed(transfer, queue, stream, buffer));
    if (blocking && !buffer.is_shared()) buffer.order_others_behind(queue.device_index(), stream);
  };
  using Mode = CommandQueue::Mode;
  return queue.record_directly({}, record,
                               blocking && buffer.is_shared() ? Mode::blocking : Mode::asynchronous, true);
}

bool read_directly(CommandQueue& queue, Buffer& buffer, const HostTransfer& transfer) {
  cuda::PinnedBlock packed;
  const auto record = [&](cuda::Stream& stream) {
    packed = queue.resources().allocate_pinned(transfer.size());
    record_packed(stream, placed(transfer, queue, stream, buffer), packed.data());
  };
  if (!queue.record_directly({}, record, CommandQueue::Mode::blocking)) return false;
  unpack(transfer, packed.data());
  return true;
}

}  // namespace

bool transfer_directly(CommandQueue& queue, Buffer& buffer, const HostTransfer& transfer, bool blocking) {
  using Mode = CommandQueue::Mode;
  const auto record = [&](cuda::Stream& stream) {
    if (transfer.size()) record_direct(stream, placed(transfer, queue, stream, buffer));
  };
  if (transfer.direct.value_or(false))
    return queue.record_directly({}, record, blocking ? Mode::blocking : Mode::asynchronous);
  if (!worth_packing(queue.resources(), transfer.size(), blocking)) return false;
  if (transfer.to_device) return write_directly(queue, buffer, transfer, blocking);
  // What is left of a read when the device is done takes somebody who waits; much is better unpacked piece by piece.
  return blocking && worth_packing(queue.resources(), transfer.size(), false) &&
         read_directly(queue, buffer, transfer);
}

void TransferBuffer::order_others_behind(cuda::Stream& stream) {
  buffer_->order_others_behind(queue()->device_index(), stream);
}

void TransferBuffer::release_resources() noexcept {
  buffer_ = {};
  Transfer::release_resources();
}

}  // namespace clcuda
