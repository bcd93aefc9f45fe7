// SPDX-License-Identifier: Apache-2.0
// The shuffles of cl_intel_subgroups, cl_intel_subgroups_char, _short and _long. Up and down shuffle two concatenated values: of these 64
// lanes, the sub-group reads a window of 32.
#include "sub_group_vector.h"

#define SHUFFLES(T)                                                            \
  T COLLECTIVE intel_sub_group_shuffle(T data, uint index) {                   \
    return exchange(from_lane, active(), data, index);                         \
  }                                                                            \
  T COLLECTIVE intel_sub_group_shuffle_xor(T data, uint value) {               \
    return exchange(across, active(), data, value);                            \
  }                                                                            \
  T COLLECTIVE intel_sub_group_shuffle_down(T current, T next, uint delta) {   \
    uint mask = active();                                                      \
    uint index = lane() + delta;                                               \
    T low = exchange(from_lane, mask, current, index);                         \
    T high = exchange(from_lane, mask, next, index);                           \
    return index < WARP_SIZE ? low : high;                                     \
  }                                                                            \
  T COLLECTIVE intel_sub_group_shuffle_up(T previous, T current, uint delta) { \
    uint mask = active();                                                      \
    uint index = lane() - delta;                                               \
    T low = exchange(from_lane, mask, previous, index);                        \
    T high = exchange(from_lane, mask, current, index);                        \
    return delta <= lane() ? high : low;                                       \
  }
#define ALL_SHUFFLES(T) WITH_VECTORS_OF(T, SHUFFLES)
INTEGER_TYPES(ALL_SHUFFLES)
ALL_SHUFFLES(float)
SHUFFLES(half)
SHUFFLES(double)
