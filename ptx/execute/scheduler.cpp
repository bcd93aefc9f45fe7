// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/scheduler.h"

#include <sched.h>

#include <algorithm>
#include <span>

#include "ptx/execute/warp_operations.h"

namespace clcuda::ptx {
namespace {

bool is_block_barrier(Wait wait) {
  return wait == Wait::block_barrier || wait == Wait::barrier || wait == Wait::barrier_popc ||
         wait == Wait::barrier_and || wait == Wait::barrier_or;
}

// Without an early exit, so that the loop can be vectorised.
template <typename T>
bool all_equal(const T* values, std::uint32_t count) {
  T difference = 0;
  for (std::uint32_t i = 0; i < count; ++i) difference |= values[i] ^ values[0];
  return difference == 0;
}

bool takes_whoever(Wait wait) {
  return wait == Wait::active_mask || (wait >= Wait::vote_any && wait <= Wait::vote_ballot);
}

// The result of a barrier that counts votes.
std::uint64_t outcome(Wait wait, std::uint32_t votes, std::uint32_t there) {
  return wait == Wait::barrier_popc ? votes : wait == Wait::barrier_and ? votes == there : votes != 0;
}

}  // namespace

bool Scheduler::run(const KernelEntry& kernel, Block& block) {
  kernel_ = &kernel;
  block_ = &block;
  width_ = block.block_size[0];
  rows_ = block.block_size[1] * block.block_size[2];
  items_ = width_ * rows_;
  if (kernel.waits.empty()) {
    kernel.regions[0](&block, 0, rows_, 0, width_);
    return true;
  }
  arrived_.fill(0);
  status_.clear();
  stuck_ = false;
  if (!run_together()) run_apart();
  return !stuck_;
}

// Runs the block while all items are in the same state. Returns false once they are not; `status_` then has the status of each item.
bool Scheduler::run_together() {
  for (std::uint32_t state = 0;;) {
    kernel_->regions[state](block_, 0, rows_, 0, width_);
    state = kernel_->exits[state];
    const bool varies = state == kStateVaries;
    if (varies) state = block_->state[0];
    if (!varies || all_equal(block_->state, items_)) {
      if (state == kStateFinished) return true;
      if (release_together(kernel_->waits[state - 1])) continue;
      std::fill_n(block_->state, items_, state);
    }
    status_.assign(items_, Status::ready);
    note_arrivals();
    return false;
  }
}

// Releases all items from the suspension that they have reached. Returns false if they have to be treated separately.
bool Scheduler::release_together(Wait wait) {
  if (wait == Wait::block_barrier) return true;
  if (wait == Wait::yield) {
    sched_yield();
    return true;
  }
  if (is_block_barrier(wait)) {
    const bool same = all_equal(&operand(0, 0), items_) && all_equal(&operand(1, 0), items_);
    if (!same || (operand(1, 0) != 0 && operand(1, 0) != items_)) return false;
    if (wait != Wait::barrier) give_votes(wait);
    return true;
  }
  if (!is_warp_operation(wait)) return false;
  for (std::uint32_t warp = 0; warp < warps(); ++warp) {
    const std::uint32_t first = warp * 32, count = std::min(32u, items_ - first);
    const std::uint32_t present = count == 32 ? ~0u : (1u << count) - 1;
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const auto mask = static_cast<std::uint32_t>(operand(0, first + lane));
      const bool whoever = takes_whoever(wait) && mask == kWhoeverIsThere;
      if (!whoever && (mask & present) != present) return false;
    }
  }
  for (std::uint32_t warp = 0; warp < warps(); ++warp) {
    const std::uint32_t count = std::min(32u, items_ - warp * 32);
    do_warp_operation(wait, *block_, warp * 32, count == 32 ? ~0u : (1u << count) - 1);
  }
  return true;
}

void Scheduler::run_apart() {
  patience_.assign(warps(), 0);
  for (;;) {
    bool progress = release_barriers();
    progress |= release_warps();
    const auto some = [&](Status wanted) { return std::ranges::find(status_, wanted) != status_.end(); };
    if (!progress && !some(Status::ready)) {
      if (some(Status::yielding)) {
        sched_yield();
      } else {
        stuck_ = some(Status::waiting);
        return;
      }
    }
    run_ready();
    note_arrivals();
  }
}

// Runs each sequence of adjacent items in a row that are in the same state.
void Scheduler::run_ready() {
  const auto runs = [&](std::uint32_t item) {
    return status_[item] == Status::ready || status_[item] == Status::yielding;
  };
  for (std::uint32_t row = 0; row < rows_; ++row) {
    for (std::uint32_t x = 0; x < width_;) {
      const std::uint32_t item = row * width_ + x;
      std::uint32_t end = x + 1;
      if (runs(item)) {
        const std::uint32_t state = block_->state[item];
        while (end < width_ && runs(row * width_ + end) && block_->state[row * width_ + end] == state) ++end;
        for (std::uint32_t i = x; i < end; ++i) status_[row * width_ + i] = Status::ready;
        kernel_->regions[state](block_, row, row + 1, x, end);
        if (const std::uint32_t exit = kernel_->exits[state]; exit != kStateVaries)
          std::fill(block_->state + item, block_->state + item + (end - x), exit);
      }
      x = end;
    }
  }
}

// Updates the status of each item that has run.
void Scheduler::note_arrivals() {
  for (std::uint32_t item = 0; item < items_; ++item) {
    if (status_[item] == Status::yielding || status_[item] == Status::ready) {
      if (block_->state[item] == kStateFinished) {
        status_[item] = Status::finished;
        continue;
      }
      const Wait wait = wait_of(item);
      status_[item] = wait == Wait::yield            ? Status::yielding
                      : wait == Wait::barrier_arrive ? Status::ready
                                                     : Status::waiting;
      if (wait == Wait::barrier_arrive) ++arrived_[operand(0, item) & 15];
    }
  }
}

// A barrier opens once the number of items that it names, or all items, have arrived. Finished items count as arrived.
bool Scheduler::release_barriers() {
  std::array<std::uint32_t, 16> waiting{}, wanted{};
  std::uint32_t finished = 0;
  for (std::uint32_t item = 0; item < items_; ++item) {
    if (status_[item] == Status::finished) ++finished;
    if (status_[item] != Status::waiting || !is_block_barrier(wait_of(item))) continue;
    const std::uint32_t number = barrier_number(item);
    const bool counted = wait_of(item) != Wait::block_barrier && operand(1, item) != 0;
    ++waiting[number];
    wanted[number] = counted ? static_cast<std::uint32_t>(operand(1, item)) : items_;
  }
  bool released = false;
  for (std::uint32_t number = 0; number < 16; ++number) {
    if (waiting[number] == 0 || waiting[number] + arrived_[number] + finished < wanted[number]) continue;
    release_barrier(number);
    arrived_[number] = 0;
    released = true;
  }
  return released;
}

// Gives the items at a barrier their results and makes them ready.
void Scheduler::release_barrier(std::uint32_t number) {
  std::uint32_t there = 0, votes = 0;
  const auto is_there = [&](std::uint32_t item) {
    return status_[item] == Status::waiting && is_block_barrier(wait_of(item)) &&
           barrier_number(item) == number;
  };
  const auto votes_there = [](Wait wait) { return wait != Wait::barrier && wait != Wait::block_barrier; };
  for (std::uint32_t item = 0; item < items_; ++item) {
    if (!is_there(item)) continue;
    ++there;
    if (votes_there(wait_of(item))) votes += operand(2, item) & 1;
  }
  for (std::uint32_t item = 0; item < items_; ++item) {
    if (!is_there(item)) continue;
    if (votes_there(wait_of(item))) block_->results[item] = outcome(wait_of(item), votes, there);
    status_[item] = Status::ready;
  }
}

// Gives results if all items of the block have arrived at the barrier.
void Scheduler::give_votes(Wait wait) {
  std::uint32_t votes = 0;
  for (std::uint32_t item = 0; item < items_; ++item) votes += operand(2, item) & 1;
  std::fill_n(block_->results, items_, outcome(wait, votes, items_));
}

bool Scheduler::release_warps() {
  bool released = false;
  for (std::uint32_t warp = 0; warp < warps(); ++warp) released |= release_warp(warp);
  for (std::uint32_t warp = 0; warp < warps(); ++warp) released |= release_whoever(warp);
  return released;
}

// A warp operation with a mask is executed once every unfinished lane of the mask waits for the same operation.
bool Scheduler::release_warp(std::uint32_t warp) {
  const std::uint32_t first = warp * 32, count = std::min(32u, items_ - first);
  std::uint32_t finished = count == 32 ? 0 : ~((1u << count) - 1);
  for (std::uint32_t lane = 0; lane < count; ++lane)
    if (status_[first + lane] == Status::finished) finished |= 1u << lane;
  bool released = false;
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    const std::uint32_t item = first + lane;
    if (status_[item] != Status::waiting || !is_warp_operation(wait_of(item))) continue;
    const Wait wait = wait_of(item);
    const auto mask = static_cast<std::uint32_t>(operand(0, item));
    if (takes_whoever(wait) && mask == kWhoeverIsThere) continue;
    const std::uint32_t wanted = (mask & ~finished) | 1u << lane;
    std::uint32_t there = 0;
    for (std::uint32_t other = 0; other < count; ++other) {
      const std::uint32_t candidate = first + other;
      const bool same = (wanted >> other & 1) && status_[candidate] == Status::waiting &&
                        wait_of(candidate) == wait &&
                        static_cast<std::uint32_t>(operand(0, candidate)) == mask;
      if (same) there |= 1u << other;
    }
    if (there != wanted) continue;
    do_warp_operation(wait, *block_, first, there);
    for (std::uint32_t other = 0; other < count; ++other)
      if (there >> other & 1) status_[first + other] = Status::ready;
    released = true;
  }
  return released;
}

// Whether another lane of the warp may still arrive. A yielding lane, which loops until others change what it reads, may; but it may also
// wait for a lane that waits for it, so it is given a limited number of iterations.
bool Scheduler::may_be_joined(std::uint32_t warp) {
  constexpr std::uint32_t kMostTurns = 1000;
  const auto lanes = std::span(status_).subspan(warp * 32, std::min(32u, items_ - warp * 32));
  if (std::ranges::find(lanes, Status::ready) != lanes.end()) return true;
  if (std::ranges::find(lanes, Status::yielding) != lanes.end() && patience_[warp]++ < kMostTurns)
    return true;
  patience_[warp] = 0;
  return false;
}

// An operation on the lanes that have arrived is executed once no other lane of the warp may still arrive.
bool Scheduler::release_whoever(std::uint32_t warp) {
  if (may_be_joined(warp)) return false;
  const std::uint32_t first = warp * 32, count = std::min(32u, items_ - first);
  bool released = false;
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    const std::uint32_t item = first + lane;
    if (status_[item] != Status::waiting || !takes_whoever(wait_of(item)) ||
        operand(0, item) != kWhoeverIsThere)
      continue;
    std::uint32_t there = 0;
    for (std::uint32_t other = lane; other < count; ++other)
      if (status_[first + other] == Status::waiting && block_->state[first + other] == block_->state[item])
        there |= 1u << other;
    do_warp_operation(wait_of(item), *block_, first, there);
    for (std::uint32_t other = 0; other < count; ++other)
      if (there >> other & 1) status_[first + other] = Status::ready;
    released = true;
  }
  return released;
}

}  // namespace clcuda::ptx
