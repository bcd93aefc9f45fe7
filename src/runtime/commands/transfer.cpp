// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/transfer.h"

#include "runtime/command_queue.h"

namespace clcuda {

Transfer::Transfer(CommandQueue& queue, cl_command_type type, const HostTransfer& transfer,
                   std::shared_ptr<cuda::PinnedBlock> keep)
    : Command(queue, type), transfer_(transfer), keep_(std::move(keep)) {
  if (keep_ || (transfer_.direct ? *transfer_.direct : is_direct(queue.engine(), transfer_)))
    way_ = Way::direct;
  else
    way_ = worth_packing(queue.engine(), transfer_.size(), false) ? Way::packed : Way::staged;
}

// Section 5.2.2: a blocking write returns when it is complete, in the sight of commands in whatever queue.
void Transfer::expect_waiting(bool observed) {
  if (way_ == Way::direct) return;
  const Engine& engine = queue()->engine();
  if (engine.reaches_host_memory())
    way_ = Way::staged;
  else if (transfer_.to_device && worth_packing(engine, transfer_.size(), true))
    way_ = Way::packed;
  lets_go_ = way_ == Way::packed && transfer_.to_device && !observed && can_order_others();
}

void Transfer::record(cuda::Stream& stream) {
  if (!transfer_.size()) return;
  const HostTransfer transfer = placed(stream);
  Engine& engine = queue()->engine();
  if (way_ == Way::direct) {
    record_direct(stream, transfer);
    if (keep_) engine.keep_until_reached(stream, std::move(keep_));
  } else if (transfer.to_device) {
    record_taken(engine, stream, transfer);
  } else {
    keep_ = engine.lend_staging(transfer.size());
    record_packed(stream, transfer, keep_->data());
  }
  if (lets_go_) order_others_behind(stream);
}

void Transfer::perform(cuda::Stream& stream) { run_staged(queue()->engine(), stream, placed(stream)); }

void Transfer::epilogue() {
  if (keep_) unpack(transfer_, keep_->data());
}

}  // namespace clcuda
