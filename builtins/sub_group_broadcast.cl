// SPDX-License-Identifier: Apache-2.0
// Broadcasts (OpenCL C 6.15.19; cl_khr_subgroup_extended_types, cl_khr_subgroup_ballot).
#include "sub_group_vector.h"

#define BROADCAST(T)                                                                                       \
  T COLLECTIVE sub_group_broadcast(T value, uint index) { return exchange(from_lane, ALL, value, index); } \
  T COLLECTIVE sub_group_non_uniform_broadcast(T value, uint index) {                                      \
    return exchange(from_lane, active(), value, index);                                                    \
  }
#define BROADCASTS(T) WITH_VECTORS_OF(T, BROADCAST)
SCALAR_TYPES(BROADCASTS)

#define BROADCAST_FIRST(T)                                 \
  T COLLECTIVE sub_group_broadcast_first(T value) {        \
    uint mask = active();                                  \
    return exchange(from_lane, mask, value, lowest(mask)); \
  }
SCALAR_TYPES(BROADCAST_FIRST)
