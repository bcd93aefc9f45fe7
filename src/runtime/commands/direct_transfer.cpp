// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/direct_transfer.h"

#include "runtime/commands/transfer.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {
namespace {

using Mode = CommandQueue::Mode;

// A transfer and its use of a buffer; `uses` is empty if the device memory is not a buffer's.
struct DirectTransfer {
  CommandQueue& queue;
  const cl_command_type type;
  const HostTransfer& transfer;
  std::span<MemoryUse> uses;

  HostTransfer placed() const { return uses.empty() ? transfer : clcuda::placed(transfer, uses.front()); }
  bool can_order_others() const { return !uses.empty() && uses.front().can_order_others(); }

  template <class Emit>
  bool record(const Emit& emit, Mode mode, bool touches_host = false) {
    return queue.record_directly({.type = type, .bytes = transfer.size()}, uses, emit, mode, touches_host);
  }
};

bool write_packed(DirectTransfer& direct, bool blocking) {
  const bool orders_others = direct.can_order_others();
  const auto emit = [&](cuda::Stream& stream) {
    record_taken(direct.queue.resources(), stream, direct.placed());
    if (blocking && orders_others)
      direct.uses.front().order_others_behind(direct.queue.device_index(), stream);
  };
  return direct.record(emit, blocking && !orders_others ? Mode::blocking : Mode::asynchronous, true);
}

bool read_packed(DirectTransfer& direct) {
  cuda::PinnedBlock packed;
  const auto emit = [&](cuda::Stream& stream) {
    packed = direct.queue.resources().memory().allocate_pinned(direct.transfer.size());
    record_packed(stream, direct.placed(), packed.data());
  };
  if (!direct.record(emit, Mode::blocking)) return false;
  unpack(direct.transfer, packed.data());
  return true;
}

bool transfer_pinned(DirectTransfer& direct, bool blocking) {
  const auto emit = [&](cuda::Stream& stream) { record_direct(stream, direct.placed()); };
  return direct.record(emit, blocking ? Mode::blocking : Mode::asynchronous);
}

bool transfer(DirectTransfer direct, bool blocking) {
  const HostTransfer& transfer = direct.transfer;
  const DeviceResources& resources = direct.queue.resources();
  if (transfer.is_direct()) return transfer_pinned(direct, blocking);
  if (is_in_reach_of_kernels(resources, transfer))
    return false;  // the host's half must be done in stream order
  if (!worth_packing(resources, transfer.size(), blocking)) return false;
  if (transfer.to_device) return write_packed(direct, blocking);
  // A packed read ends with unpacking by the calling thread, which therefore must be blocking. Large reads are better unpacked in pieces.
  if (!blocking || !worth_packing(resources, transfer.size(), false)) return false;
  return read_packed(direct);
}

}  // namespace

bool transfer_directly(CommandQueue& queue, cl_command_type type, Buffer& buffer,
                       const HostTransfer& transfer, bool blocking) {
  MemoryUse use = use_of(buffer, transfer);
  return clcuda::transfer({queue, type, transfer, {&use, 1}}, blocking);
}

bool transfer_directly(CommandQueue& queue, cl_command_type type, const HostTransfer& transfer,
                       bool blocking) {
  return clcuda::transfer({queue, type, transfer, {}}, blocking);
}

}  // namespace clcuda
