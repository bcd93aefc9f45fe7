// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>

#include "support/opencl.h"

// Random choices of the calling thread.
namespace soak {

inline std::size_t below(std::size_t end) { return test::random_engine()() % end; }
inline bool chance(unsigned percent) { return below(100) < percent; }
template <class Range>
auto& any_of(Range& range) {
  return range[below(std::size(range))];
}
// Half of the sizes are at most 100.
inline std::size_t any_size(std::size_t most) {
  return 1 + below(chance(50) ? most : std::min<std::size_t>(most, 100));
}

// Distinct seeds that are derived from one.
inline std::uint64_t mixed(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t x = seed + (number + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

}  // namespace soak
