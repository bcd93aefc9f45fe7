// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace soak {

// Counts of this process's work, and those that another process has reported.
enum class Count {
#define COUNT(name, text) name,
#include "soak/tally.def"
#undef COUNT
  end
};
using Counts = std::array<std::uint64_t, static_cast<std::size_t>(Count::end)>;

inline std::atomic<std::uint64_t>& counter(Count what) {
  static std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Count::end)> counters;
  return counters[static_cast<std::size_t>(what)];
}
inline void count(Count what, std::uint64_t more = 1) {
  counter(what).fetch_add(more, std::memory_order_relaxed);
}
inline Counts counted() {
  Counts all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = counter(static_cast<Count>(i));
  return all;
}

}  // namespace soak
