// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/transfer.h"

#include "runtime/command_queue.h"

namespace clcuda {
namespace {

// Up to here a copy by the enqueuing thread is cheaper than handing the transfer to another one; and up to there, than others' help,
// for a thread that waits anyway.
constexpr std::size_t kPackedSize = 256 << 10, kPackedByWaiter = 2 << 20;
// Page-locked memory that may be in use for packed writes that nobody waits for.
constexpr std::size_t kMostKept = 64 << 20;

bool room(const Engine& engine) { return engine.kept_bytes() <= kMostKept; }

}  // namespace

Transfer::Transfer(CommandQueue& queue, cl_command_type type, const HostTransfer& transfer,
                   std::shared_ptr<cuda::PinnedBlock> keep)
    : Command(queue, type), transfer_(transfer), keep_(std::move(keep)) {
  if (keep_ || (transfer_.direct ? *transfer_.direct : is_direct(queue.engine(), transfer_)))
    way_ = Way::direct;
  else
    way_ = transfer_.size() <= kPackedSize && room(queue.engine()) ? Way::packed : Way::staged;
}

// Section 5.2.2: a blocking write returns when it is complete, in the sight of commands in whatever queue.
void Transfer::expect_waiting(bool observed) {
  if (way_ == Way::direct) return;
  const Engine& engine = queue()->engine();
  if (engine.reaches_host_memory())
    way_ = Way::staged;
  else if (transfer_.to_device && transfer_.size() <= kPackedByWaiter && room(engine))
    way_ = Way::packed;
  lets_go_ = way_ == Way::packed && transfer_.to_device && !observed && can_order_others();
}

void Transfer::record(cuda::Stream& stream) {
  if (!transfer_.size()) return;
  const HostTransfer transfer = placed(stream);
  Engine& engine = queue()->engine();
  if (way_ == Way::direct) {
    record_direct(stream, transfer);
  } else {
    keep_ = engine.lend_pinned(transfer.size());
    if (transfer.to_device) pack(transfer, keep_->data());
    record_packed(stream, transfer, keep_->data());
  }
  if (lets_go_) order_others_behind(stream);
  if (keep_ && !has_epilogue()) engine.keep_until_reached(stream, std::move(keep_));
}

void Transfer::perform(cuda::Stream& stream) { run_staged(queue()->engine(), stream, placed(stream)); }

void Transfer::epilogue() {
  if (keep_) unpack(transfer_, keep_->data());
}

}  // namespace clcuda
