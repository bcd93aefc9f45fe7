// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/ndrange.h"

#include <algorithm>
#include <limits>

#include "builtins/launch_record.h"

namespace clcuda {
namespace {

// CUDA's limits on a grid and a block.
constexpr Size3 kMaxGrid{0x7fffffff, 65535, 65535};
constexpr Size3 kMaxBlock{1024, 1024, CLCUDA_MOST_LAYERS};

// One dimension of a range, divided among launches: runs of full groups, then perhaps one smaller group.
struct Axis {
  std::size_t full, runs, run, rest;

  Axis(const NDRange& range, unsigned d)
      : full(range.global[d] / range.local[d]),
        runs(full / kMaxGrid[d] + (full % kMaxGrid[d] != 0)),
        run(kMaxGrid[d]),
        rest(range.global[d] % range.local[d]) {}
  std::size_t count() const { return runs + (rest != 0); }
};

std::size_t saturating_product(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::size_t>::max() : product;
}

std::size_t largest_divisor(std::size_t size, std::size_t limit) {
  if (size == 0) return limit;  // each number divides 0
  for (std::size_t divisor = std::min(size, limit); divisor > 1; --divisor)
    if (size % divisor == 0) return divisor;
  return 1;
}

}  // namespace

bool NDRange::uniform(std::array<unsigned, 3>& grid) const {
  // On the path of every launch: 32-bit divisions, and only for the dimensions in use.
  grid = {1, 1, 1};
  for (unsigned d = 0; d < dimensions; ++d) {
    if (offset[d] != 0 || global[d] > 0x7fffffff || local[d] > kMaxBlock[d]) return false;
    const auto items = static_cast<unsigned>(global[d]), size = static_cast<unsigned>(local[d]);
    grid[d] = items / size;
    if (grid[d] * size != items || grid[d] > kMaxGrid[d]) return false;
  }
  return true;
}

std::size_t count_parts(const NDRange& range) {
  return saturating_product(Axis(range, 0).count(),
                            saturating_product(Axis(range, 1).count(), Axis(range, 2).count()));
}

LaunchPart part(const NDRange& range, std::size_t index) {
  LaunchPart part;
  for (unsigned d = 0; d < 3; ++d) {
    const Axis axis(range, d);
    const std::size_t i = index % axis.count();
    index /= axis.count();
    const bool smaller = i == axis.runs;
    part.group_offset[d] = smaller ? axis.full : i * axis.run;
    part.grid[d] = static_cast<unsigned>(smaller ? 1 : std::min(axis.run, axis.full - part.group_offset[d]));
    part.block[d] = static_cast<unsigned>(smaller ? axis.rest : range.local[d]);
  }
  return part;
}

namespace {

// Of at most `room` work-items.
Size3 local_size_within(const NDRange& range, std::size_t room, bool must_divide) {
  Size3 local{1, 1, 1};
  for (unsigned d = 0; d < 3 && room > 1; ++d) {
    const std::size_t bound = std::min(room, kMaxBlock[d]);
    local[d] = largest_divisor(range.global[d], bound);
    // Only groups of one divide a size that is prime, for instance; a smaller last group costs less.
    if (d == 0 && !must_divide && local[d] < kSubGroupSize && range.global[d] > bound) local[d] = bound;
    room /= local[d];
  }
  return local;
}

std::size_t group_count(const NDRange& range) {
  return volume({range.groups(0), range.groups(1), range.groups(2)});
}

}  // namespace

Size3 choose_local_size(const NDRange& range, std::size_t wanted, std::size_t limit, std::size_t units,
                        bool must_divide) {
  std::size_t room = std::max<std::size_t>(1, std::min(wanted, limit));
  NDRange best = range;
  best.local = local_size_within(range, room, must_divide);
  if (range.empty() || range.size() > room * units) return best.local;
  const auto most_of_a_unit = [&](const NDRange& each) {
    return (group_count(each) + units - 1) / units * each.group_size();
  };
  while ((room /= 2) >= kSubGroupSize) {
    NDRange smaller = range;
    smaller.local = local_size_within(range, room, must_divide);
    if (most_of_a_unit(smaller) < most_of_a_unit(best)) best = smaller;
  }
  return best.local;
}

Size3 choose_local_size_of_sub_groups(const NDRange& range, std::size_t count, bool must_divide) {
  const std::size_t size = count * kSubGroupSize;
  return {must_divide ? largest_divisor(range.global[0], std::min(size, kMaxBlock[0])) : size, 1, 1};
}

}  // namespace clcuda
