// SPDX-License-Identifier: Apache-2.0
#pragma once

// A range as launches of the CUDA device runtime. A block's kernel has one fixed list of parameters (the
// compiler's pass lower_blocks): the block's literal, an offset for each local pointer, the launch record.
#include "launch_record.h"

// What a block has captured, whatever its type is.
typedef uint __attribute__((may_alias)) word;
typedef ulong __attribute__((may_alias)) two_words;
typedef uchar __attribute__((may_alias)) byte;

struct grid_size {
  uint x, y, z;
};
void* __cudaCDP2GetParameterBufferV2(void* function, struct grid_size grid, struct grid_size block,
                                     uint dynamic_shared);
int __cudaCDP2LaunchDeviceV2(void* parameters, void* stream);

#define TAIL_LAUNCH ((void*)3)      // when the launching grid and all that it has started are through
#define FIRE_AND_FORGET ((void*)4)  // at once; the launching grid is complete when it is

// CUDA's limits of a grid.
static inline ulong most_groups(uint dimension) { return dimension == 0 ? 0x7fffffff : 65535; }

// One dimension of a range falls into chunks of full groups, and a smaller group at its end.
struct dimension_parts {
  ulong full_groups;
  uint chunks, rest;
};
static inline struct dimension_parts parts_of(const struct clcuda_launch_record* record, uint dimension) {
  const ulong size = record->global_size[dimension];
  const uint local_size = record->enqueued_local_size[dimension];
  struct dimension_parts parts;
  parts.full_groups = size / local_size;
  parts.rest = (uint)(size % local_size);
  parts.chunks = (uint)((parts.full_groups + most_groups(dimension) - 1) / most_groups(dimension));
  return parts;
}
static inline ulong part_count(const struct clcuda_launch_record* record) {
  ulong count = 1;
  for (uint d = 0; d < 3; ++d) {
    const struct dimension_parts parts = parts_of(record, d);
    count *= (ulong)parts.chunks + (parts.rest != 0);
  }
  return count;
}
// Whether that is 1, without divisions.
static inline bool has_one_part(const struct clcuda_launch_record* record) {
  for (uint d = 0; d < 3; ++d) {
    const ulong groups = record->group_count[d];
    const bool full = groups * record->enqueued_local_size[d] == record->global_size[d];
    if (groups != 1 && (!full || groups > most_groups(d))) return false;
  }
  return true;
}

// Part `index` of a range: the grid that runs it, and in the record where it begins.
static inline void choose_part(struct clcuda_launch_record* record, uint index, uint grid[3], uint block[3]) {
  for (uint d = 0; d < 3; ++d) {
    const struct dimension_parts parts = parts_of(record, d);
    const uint count = parts.chunks + (parts.rest != 0), chunk = index % count;
    index /= count;
    const ulong first = chunk * most_groups(d);
    record->group_offset[d] = chunk < parts.chunks ? first : parts.full_groups;
    grid[d] = chunk < parts.chunks ? (uint)min(parts.full_groups - first, most_groups(d)) : 1;
    block[d] = chunk < parts.chunks ? record->enqueued_local_size[d] : parts.rest;
  }
  clcuda_stack_layers(record, block);
}

static inline char* parameter_buffer(void* function, const uint grid[3], const uint block[3],
                                     uint dynamic_shared) {
  const struct grid_size groups = {grid[0], grid[1], grid[2]}, items = {block[0], block[1], block[2]};
  return (char*)__cudaCDP2GetParameterBufferV2(function, groups, items, dynamic_shared);
}
