// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/transfer.h"

#include <utility>

#include "runtime/queue/command_queue.h"

namespace clcuda {

namespace {

HostTransfer in_image(const HostTransfer& transfer, const Image& image, const ImageRegion& region) {
  HostTransfer placed = transfer;
  placed.device = image.box_of(region);
  return placed;
}

HostTransfer known(const DeviceResources& resources, const HostTransfer& transfer, bool page_locked) {
  HostTransfer known = transfer;
  if (page_locked) known.memory = cuda::HostMemory::page_locked;
  if (!known.memory) known.memory = host_memory_of(resources, transfer);
  return known;
}

}  // namespace

MemoryUse use_of(Buffer& buffer, const HostTransfer& transfer) {
  return {buffer, transfer.device, transfer.region, transfer.to_device ? Access::overwrite : Access::read};
}

HostTransfer placed(const HostTransfer& transfer, const MemoryUse& use) {
  HostTransfer placed = transfer;
  placed.device = use.at(transfer.device);
  return placed;
}

Transfer::Transfer(CommandQueue& queue, cl_command_type type, Buffer& buffer, const HostTransfer& transfer,
                   std::shared_ptr<cuda::PinnedBlock> keep)
    : Transfer(queue, type, use_of(buffer, transfer), transfer, std::move(keep)) {}

Transfer::Transfer(CommandQueue& queue, cl_command_type type, Image& image, const ImageRegion& region,
                   const HostTransfer& transfer, std::shared_ptr<cuda::PinnedBlock> keep)
    : Transfer(queue, type,
               MemoryUse(image, transfer.size() ? region : ImageRegion{.size = {}},
                         transfer.to_device ? Access::overwrite : Access::read),
               in_image(transfer, image, region), std::move(keep)) {}

Transfer::Transfer(CommandQueue& queue, cl_command_type type, MemoryUse use, const HostTransfer& transfer,
                   std::shared_ptr<cuda::PinnedBlock> keep)
    : Command(queue, type),
      transfer_(known(queue.resources(), transfer, keep != nullptr)),
      keep_(std::move(keep)) {
  uses_.push_back(std::move(use));
  choose_first();
}

Transfer::Transfer(CommandQueue& queue, cl_command_type type, Ref<SvmAllocation> memory,
                   const HostTransfer& transfer)
    : Command(queue, type), transfer_(known(queue.resources(), transfer, false)), memory_(std::move(memory)) {
  choose_first();
}

void Transfer::choose_first() noexcept {
  if (transfer_.is_direct()) return;
  CommandQueue& queue = *this->queue();
  // With profiling, the device should not wait for the host between the pieces of a staged transfer.
  const bool packs = worth_packing(queue.resources(), transfer_.size(), false) ||
                     (queue.profiling() && worth_packing(queue.resources(), transfer_.size(), true));
  choose(packs ? Way::packed : Way::staged);
}

bool Transfer::may_race_with_kernels() const noexcept {
  return is_in_reach_of_kernels(queue()->resources(), transfer_);
}

void Transfer::choose(Way way) noexcept {
  end_promise();
  way_ = way == Way::packed && may_race_with_kernels() ? Way::ordered : way;
  if (way_ == Way::staged) return;
  promised_ = transfer_.size();
  queue()->resources().memory().promise_staging(promised_);
}

void Transfer::end_promise() noexcept {
  if (promised_) queue()->resources().memory().end_promise(std::exchange(promised_, 0));
}

// Section 5.2.2: a blocking write is complete when it returns. A packed write may return earlier if its status cannot be observed and later
// uses, in any queue, are ordered after it.
void Transfer::expect_waiting(bool observed) {
  if (way_ == Way::direct) return;
  if (transfer_.to_device && worth_packing(queue()->resources(), transfer_.size(), true)) choose(Way::packed);
  lets_go_ = way_ == Way::packed && transfer_.to_device && !observed && !uses_.empty() &&
             uses_.front().can_order_others();
}

bool Transfer::goes_with_commands() const noexcept {
  return way_ == Way::packed && (uses_.empty() || !uses_.front().is_in_array()) && fits_commands(transfer_);
}

// The transfer with its device address.
HostTransfer Transfer::placed() const {
  return uses_.empty() ? transfer_ : clcuda::placed(transfer_, uses_.front());
}

void Transfer::prepare() {
  const bool packs = way_ == Way::packed || way_ == Way::ordered;
  if (!packs || !transfer_.size() || goes_with_commands()) return;
  keep_ = queue()->resources().memory().lend_staging(transfer_.size());
  end_promise();
  if (way_ == Way::ordered) {
    ordered_ = std::make_shared<OrderedTransfer>(transfer_, std::move(keep_));
    keep_ = OrderedTransfer::block_of(ordered_);
    return;
  }
  if (!transfer_.to_device) return;
  timed() ? pack_past_caches(transfer_, keep_->data()) : pack(transfer_, keep_->data());
}

void Transfer::emit(cuda::Stream& stream) {
  if (!transfer_.size()) return;
  const HostTransfer transfer = placed();
  if (way_ == Way::direct)
    record_direct(stream, transfer);
  else if (way_ == Way::ordered)
    ordered_->record(stream, transfer);
  else if (goes_with_commands())
    record_in_commands(stream, transfer);
  else
    record_packed(stream, transfer, keep_->data());
}

void Transfer::perform(cuda::Stream& stream) {
  if (may_race_with_kernels() && transfer_.to_device) stream.synchronize();  // kernels may write the source
  span_ = run_staged(queue()->resources(), stream, placed(), timed());
}

void Transfer::epilogue() {
  if (keep_) unpack(transfer_, keep_->data());
}

}  // namespace clcuda
