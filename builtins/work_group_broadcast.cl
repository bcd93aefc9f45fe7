// SPDX-License-Identifier: Apache-2.0
// work_group_broadcast in 1 to 3 dimensions (OpenCL C 6.15.16).
#include "work_group.h"

static inline bool is_at(size_t wanted, uint index) { return wanted == index; }

#define BROADCAST(T)                                                                                    \
  HELPER T broadcast(T value, bool source) {                                                            \
    if (source) TOTALS(T)[0] = value;                                                                   \
    __syncthreads();                                                                                    \
    value = TOTALS(T)[0];                                                                               \
    __syncthreads();                                                                                    \
    return value;                                                                                       \
  }                                                                                                     \
  T COLLECTIVE work_group_broadcast(T value, size_t x) {                                                \
    return broadcast(value, is_at(x, __nvvm_read_ptx_sreg_tid_x()));                                    \
  }                                                                                                     \
  T COLLECTIVE work_group_broadcast(T value, size_t x, size_t y) {                                      \
    return broadcast(value,                                                                             \
                     is_at(x, __nvvm_read_ptx_sreg_tid_x()) && is_at(y, __nvvm_read_ptx_sreg_tid_y())); \
  }                                                                                                     \
  T COLLECTIVE work_group_broadcast(T value, size_t x, size_t y, size_t z) {                            \
    return broadcast(value, is_at(x, __nvvm_read_ptx_sreg_tid_x()) &&                                   \
                                is_at(y, __nvvm_read_ptx_sreg_tid_y()) &&                               \
                                is_at(z, __nvvm_read_ptx_sreg_tid_z()));                                \
  }
COLLECTIVE_TYPES(BROADCAST)
