// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuda/stream.h"

namespace clcuda {

constexpr std::size_t kSubGroupSize = 32;  // work-items of a full sub-group: a warp of CUDA

using Size3 = std::array<std::size_t, 3>;
inline std::size_t volume(const Size3& size) noexcept { return size[0] * size[1] * size[2]; }

// An ND-range with its work-group size. Dimensions beyond `dimensions` are of size 1 at offset 0.
struct NDRange {
  unsigned dimensions = 1;
  Size3 offset{0, 0, 0};
  Size3 global{1, 1, 1};
  Size3 local{1, 1, 1};

  bool empty() const { return !global[0] || !global[1] || !global[2]; }
  // Number of work-items, or SIZE_MAX if there are more.
  std::size_t size() const {
    std::size_t items = global[0];
    for (const std::size_t other : {global[1], global[2]})
      if (__builtin_mul_overflow(items, other, &items)) return SIZE_MAX;
    return items;
  }
  std::size_t group_size() const { return local[0] * local[1] * local[2]; }
  std::size_t sub_group_count() const { return (group_size() + kSubGroupSize - 1) / kSubGroupSize; }
  // Number of work-groups in a dimension, including a smaller last one.
  std::size_t groups(unsigned dimension) const {
    return global[dimension] / local[dimension] + (global[dimension] % local[dimension] != 0);
  }
  // All work-groups are full: each global size is a multiple of the local one.
  bool divides() const {
    return global[0] % local[0] == 0 && global[1] % local[1] == 0 && global[2] % local[2] == 0;
  }
  // Whether one launch of the uniform variant (builtins/launch_record.h) can run the range; sets `grid` to that launch's grid.
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

// The number of launches that a range needs (saturating), and each of them; the index in the first dimension increases fastest.
std::size_t count_parts(const NDRange& range);
LaunchPart part(const NDRange& range, std::size_t index);

// Chooses a work-group size if the application gave none: about `wanted` work-items (a multiple of the warp size), at most `limit`. With
// `must_divide` it divides the range; otherwise it does so if that costs little. If compute units would be left without a group, it is the
// size, down to a sub-group, with which the unit that has the most work-items has the fewest.
Size3 choose_local_size(const NDRange& range, std::size_t wanted, std::size_t limit, std::size_t units,
                        bool must_divide);
// The same for a work-group of `count` sub-groups. If none divides the range, although it must, the result has fewer.
Size3 choose_local_size_of_sub_groups(const NDRange& range, std::size_t count, bool must_divide);

}  // namespace clcuda
