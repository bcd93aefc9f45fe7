// SPDX-License-Identifier: Apache-2.0
#include "base/trace/allowance.h"

#include <algorithm>
#include <utility>

#include "base/trace/trace.h"
#include "base/trace/writer.h"

namespace clcuda::trace {

bool Allowance::wait_for_refill(std::uint64_t taken) noexcept {
  if (is_complete()) flush();
  if (taken != limit_.load(std::memory_order_relaxed)) return true;
  refused_.store(refused_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return false;
}

std::uint64_t Allowance::refill() noexcept {
  const std::uint64_t full = taken_.load(std::memory_order_relaxed) + burst_;
  const std::uint64_t limit =
      is_complete() ? full : std::min(full, limit_.load(std::memory_order_relaxed) + refill_);
  limit_.store(limit, std::memory_order_relaxed);
  const std::uint64_t refused = refused_.load(std::memory_order_relaxed);
  const std::uint64_t fresh = refused - std::exchange(seen_refused_, refused);
  if (fresh) count_left_out(fresh);
  return fresh;
}

}  // namespace clcuda::trace
