// SPDX-License-Identifier: Apache-2.0
#include "collective_model.h"

#include <algorithm>

namespace clcuda::test {

Groups::Groups(const Range& range) {
  std::size_t next = 0;
  for (std::size_t z = 0; z < range.group_count(2); ++z) {
    for (std::size_t y = 0; y < range.group_count(1); ++y) {
      for (std::size_t x = 0; x < range.group_count(0); ++x) {
        const auto size = range.group_size({x, y, z});
        auto& group = work_groups.emplace_back();
        for (std::size_t i = 0; i < size[0] * size[1] * size[2]; ++i) {
          if (i % 32 == 0) sub_groups.emplace_back();
          sub_groups.back().push_back(next);
          group.push_back(next++);
        }
      }
    }
  }
}

// Before a group are whole layers, then whole rows of its layer, then the groups of its row: the enqueued local size in the dimension that
// is counted, and this group's own size in the dimensions below it.
const char kPositionSource[] = R"(
size_t position(void) {
  size_t layer = get_group_id(2) * get_enqueued_local_size(2);
  size_t row = get_group_id(1) * get_enqueued_local_size(1);
  size_t column = get_group_id(0) * get_enqueued_local_size(0);
  return layer * get_global_size(1) * get_global_size(0) + get_local_size(2) * row * get_global_size(0) +
         get_local_size(2) * get_local_size(1) * column + get_local_linear_id();
}
)";

Range random_range(Random& random, std::size_t largest_group, bool uniform) {
  Range range;
  range.dimensions = 1 + static_cast<cl_uint>(random() % 3);
  std::size_t room = 1 + random() % largest_group;
  if (random() % 4 == 0) room = largest_group;
  for (cl_uint d = 0; d < range.dimensions; ++d) {
    const bool last = d + 1 == range.dimensions;
    range.local[d] = last ? room : 1 + random() % room;
    room /= range.local[d];
    range.global[d] = range.local[d] * (1 + random() % 2);
    if (!uniform) range.global[d] += random() % range.local[d];
  }
  return range;
}

}  // namespace clcuda::test
