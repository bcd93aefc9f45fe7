// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/direct_transfer.h"

#include "runtime/commands/transfer.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {
namespace {

using Mode = CommandQueue::Mode;

// The transfer, and what it uses of the buffer.
struct DirectTransfer {
  CommandQueue& queue;
  const HostTransfer& transfer;
  MemoryUse use;

  template <class Emit>
  bool record(const Emit& emit, Mode mode, bool touches_host = false) {
    return queue.record_directly({}, {&use, 1}, emit, mode, touches_host);
  }
};

bool write_packed(DirectTransfer& direct, bool blocking) {
  const bool orders_others = direct.use.can_order_others();
  const auto emit = [&](cuda::Stream& stream) {
    record_taken(direct.queue.resources(), stream, placed(direct.transfer, direct.use));
    if (blocking && orders_others) direct.use.order_others_behind(direct.queue.device_index(), stream);
  };
  return direct.record(emit, blocking && !orders_others ? Mode::blocking : Mode::asynchronous, true);
}

bool read_packed(DirectTransfer& direct) {
  cuda::PinnedBlock packed;
  const auto emit = [&](cuda::Stream& stream) {
    packed = direct.queue.resources().memory().allocate_pinned(direct.transfer.size());
    record_packed(stream, placed(direct.transfer, direct.use), packed.data());
  };
  if (!direct.record(emit, Mode::blocking)) return false;
  unpack(direct.transfer, packed.data());
  return true;
}

bool transfer_pinned(DirectTransfer& direct, bool blocking) {
  const auto emit = [&](cuda::Stream& stream) { record_direct(stream, placed(direct.transfer, direct.use)); };
  return direct.record(emit, blocking ? Mode::blocking : Mode::asynchronous);
}

}  // namespace

bool transfer_directly(CommandQueue& queue, Buffer& buffer, const HostTransfer& transfer, bool blocking) {
  DirectTransfer direct{queue, transfer, use_of(buffer, transfer)};
  if (transfer.is_direct()) return transfer_pinned(direct, blocking);
  if (!worth_packing(queue.resources(), transfer.size(), blocking)) return false;
  if (transfer.to_device) return write_packed(direct, blocking);
  // What is left of a read when the device is done takes somebody who waits; much is better unpacked piece by
  // piece.
  if (!blocking || !worth_packing(queue.resources(), transfer.size(), false)) return false;
  return read_packed(direct);
}

}  // namespace clcuda
