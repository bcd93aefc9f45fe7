// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ptx/abi/block.h"

namespace clcuda::ptx {

// A kernel's code, as the scheduler needs it; the members are those of KernelCode (abi/code_object.h).
struct KernelEntry {
  std::vector<RegionEntry> regions;
  std::vector<Wait> waits;           // of state k + 1
  std::vector<std::uint32_t> exits;  // of each region: the state in which all items leave it, or kStateVaries
};

// Runs the work-items of one block, from suspension to suspension, until all have ended. Items in the same state run as one call of a
// region; these are all items, unless control flow has diverged around a barrier or warp operation. At a suspension it performs the
// barrier or the warp operation for the items that wait. Reused from block to block, by one thread.
//
//   if (!scheduler.run(kernel, block)) … // deadlock
class Scheduler {
 public:
  // False if no item can continue: a barrier or warp operation waits for items that will never arrive.
  [[nodiscard]] bool run(const KernelEntry& kernel, Block& block);

 private:
  bool run_together();
  void run_apart();
  void run_ready();
  bool release_together(Wait wait);
  void note_arrivals();
  bool release_barriers();
  bool release_warps();
  bool release_warp(std::uint32_t warp);
  bool release_whoever(std::uint32_t warp);
  bool may_be_joined(std::uint32_t warp);
  void release_barrier(std::uint32_t number);
  void give_votes(Wait wait);
  std::uint32_t barrier_number(std::uint32_t item) {
    return wait_of(item) == Wait::block_barrier ? 0 : operand(0, item) & 15;
  }
  std::uint64_t& operand(std::size_t index, std::uint32_t item) {
    return block_->operands[index * block_->item_stride + item];
  }
  Wait wait_of(std::uint32_t item) const { return kernel_->waits[block_->state[item] - 1]; }
  std::uint32_t warps() const { return (items_ + 31) / 32; }

  enum class Status : std::uint8_t { ready, yielding, waiting, finished };

  const KernelEntry* kernel_ = nullptr;
  Block* block_ = nullptr;
  std::uint32_t items_ = 0, rows_ = 0, width_ = 0;
  std::vector<Status> status_;
  std::vector<std::uint32_t> patience_;      // of each warp, with lanes that go round a loop
  std::array<std::uint32_t, 16> arrived_{};  // by bar.arrive, at each barrier
  bool stuck_ = false;
};

}  // namespace clcuda::ptx
