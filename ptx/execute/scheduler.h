// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ptx/abi/block.h"

namespace clcuda::ptx {

// What the scheduler needs to know of a kernel's code.
struct KernelEntry {
  std::vector<RegionEntry> regions;
  std::vector<Wait> waits;           // of state k + 1
  std::vector<std::uint32_t> exits;  // of each region: the state in which all items leave it, or kStateVaries
};

// Runs the work-items of one block from suspension to suspension, until all have finished. Items that stand
// at the same place run as one loop; that is all of them, except where control flow diverged around a barrier
// or warp operation.
class Scheduler {
 public:
  // False if no item can go on: a barrier or warp operation that waits for items which will not come.
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
