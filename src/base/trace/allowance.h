// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace clcuda::trace {

// Limits how many events one source may record: `burst` at once, and `refill` more for each write to the file. That bounds the memory of
// events not written yet, and the time that tracing takes from a program that calls without pause. take() may be called by one thread at a
// time, refill() only by the writer.
class Allowance {
 public:
  Allowance(std::uint64_t burst, std::uint64_t refill) noexcept
      : burst_(burst), refill_(refill), limit_(burst) {}

  // Returns true if another event may be recorded; otherwise counts the refused event. For a complete timeline (CLCUDA_TRACE_ALL) it waits
  // for a write instead of refusing.
  bool take() noexcept {
    const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    if (taken == limit_.load(std::memory_order_relaxed) && !wait_for_refill(taken)) return false;
    taken_.store(taken + 1, std::memory_order_relaxed);
    return true;
  }

  // Called by the writer after it has taken the recorded events. Returns how many were refused since its last call.
  std::uint64_t refill() noexcept;

 private:
  bool wait_for_refill(std::uint64_t taken) noexcept;

  const std::uint64_t burst_, refill_;
  std::atomic<std::uint64_t> taken_ = 0, refused_ = 0;
  std::atomic<std::uint64_t> limit_;
  std::uint64_t seen_refused_ = 0;
};

}  // namespace clcuda::trace
