// SPDX-License-Identifier: Apache-2.0
// work_group_broadcast in 1 to 3 dimensions (OpenCL C 6.15.16).
#include "work_group.h"

static inline bool is_at(size_t wanted, uint dimension) { return wanted == get_local_id(dimension); }

#define BROADCAST(T)                                                                             \
  HELPER T broadcast(T value, bool source) {                                                     \
    if (source) TOTALS(T)[0] = value;                                                            \
    __syncthreads();                                                                             \
    value = TOTALS(T)[0];                                                                        \
    __syncthreads();                                                                             \
    return value;                                                                                \
  }                                                                                              \
  T COLLECTIVE work_group_broadcast(T value, size_t x) { return broadcast(value, is_at(x, 0)); } \
  T COLLECTIVE work_group_broadcast(T value, size_t x, size_t y) {                               \
    return broadcast(value, is_at(x, 0) && is_at(y, 1));                                         \
  }                                                                                              \
  T COLLECTIVE work_group_broadcast(T value, size_t x, size_t y, size_t z) {                     \
    return broadcast(value, is_at(x, 0) && is_at(y, 1) && is_at(z, 2));                          \
  }
COLLECTIVE_TYPES(BROADCAST)
