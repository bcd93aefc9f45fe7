// SPDX-License-Identifier: Apache-2.0
// Shuffles and rotations (cl_khr_subgroup_shuffle, cl_khr_subgroup_shuffle_relative, cl_khr_subgroup_rotate).
#include "sub_group.h"

#define SHUFFLES(T)                                                                                          \
  T COLLECTIVE sub_group_shuffle(T value, uint index) {                                                      \
    return exchange(from_lane, active(), value, index);                                                      \
  }                                                                                                          \
  T COLLECTIVE sub_group_shuffle_xor(T value, uint mask) { return exchange(across, active(), value, mask); } \
  T COLLECTIVE sub_group_shuffle_up(T value, uint delta) {                                                   \
    return exchange(from_below, active(), value, delta);                                                     \
  }                                                                                                          \
  T COLLECTIVE sub_group_shuffle_down(T value, uint delta) {                                                 \
    return exchange(from_above, active(), value, delta);                                                     \
  }                                                                                                          \
  T COLLECTIVE sub_group_rotate(T value, int delta) {                                                        \
    return exchange(from_lane, active(), value, (lane() + delta) % WARP_SIZE);                               \
  }                                                                                                          \
  T COLLECTIVE sub_group_clustered_rotate(T value, int delta, uint size) {                                   \
    uint within = size - 1;                                                                                  \
    return exchange(from_lane, active(), value, (lane() & ~within) | ((lane() + delta) & within));           \
  }
SCALAR_TYPES(SHUFFLES)
