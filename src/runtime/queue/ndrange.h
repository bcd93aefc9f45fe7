// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuda/stream.h"

namespace clcuda {

using Size3 = std::array<std::size_t, 3>;

// An ND-range with its work-group size. Dimensions beyond `dimensions` are of size 1 at offset 0.
struct NDRange {
  unsigned dimensions = 1;
  Size3 offset{0, 0, 0};
  Size3 global{1, 1, 1};
  Size3 local{1, 1, 1};

  bool empty() const { return !global[0] || !global[1] || !global[2]; }
  // Work-items of all groups, or the greatest number where there are more.
  std::size_t size() const {
    std::size_t items = global[0];
    for (const std::size_t other : {global[1], global[2]})
      if (__builtin_mul_overflow(items, other, &items)) return SIZE_MAX;
    return items;
  }
  std::size_t group_size() const { return local[0] * local[1] * local[2]; }
  // Work-groups in a dimension, a smaller last one counted.
  std::size_t groups(unsigned dimension) const {
    return global[dimension] / local[dimension] + (global[dimension] % local[dimension] != 0);
  }
  // All work-groups are full: each global size is a multiple of the local one.
  bool divides() const {
    return global[0] % local[0] == 0 && global[1] % local[1] == 0 && global[2] % local[2] == 0;
  }
  // Whether one launch of the uniform variant (builtins/launch_record.h) can run it, and the grid of that
  // launch.
  bool uniform(std::array<unsigned, 3>& grid) const;
  bool uniform() const {
    std::array<unsigned, 3> grid;
    return uniform(grid);
  }
};

// One launch of a range that CUDA cannot run as a whole: groups of one size within CUDA's limits on grids.
struct LaunchPart {
  std::array<unsigned, 3> grid;
  std::array<unsigned, 3> block;
  Size3 group_offset;
};

// How many launches a range takes, saturating; and each of them, first dimension fastest.
std::size_t count_parts(const NDRange& range);
LaunchPart part(const NDRange& range, std::size_t index);

// A work-group size for an application that gave none: near `wanted` work-items (a multiple of the warp), at
// most `limit`. With `must_divide` it divides the range; otherwise it does so where that costs little.
Size3 choose_local_size(const NDRange& range, std::size_t wanted, std::size_t limit, bool must_divide);

}  // namespace clcuda
