// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <random>

namespace random_kernels {

// Random choices.
class Dice {
 protected:
  explicit Dice(std::mt19937_64& random) : random_(random) {}

  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class Range>
  const auto& any_of(const Range& range) {
    return range[below(static_cast<unsigned>(std::size(range)))];
  }

  std::mt19937_64& random_;
};

}  // namespace random_kernels
