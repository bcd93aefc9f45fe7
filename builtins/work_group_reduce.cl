// SPDX-License-Identifier: Apache-2.0
// Reductions over the work-group (OpenCL C 6.15.16; cl_khr_work_group_uniform_arithmetic).
#include "work_group.h"

// Each sub-group reduces the sub-groups' results for itself: one exchange.
#define REDUCTION(op, T)                                                \
  SUB_GROUP_ARITHMETIC(op, T)                                           \
  WORK_GROUP_GATHER(op, T)                                              \
  T COLLECTIVE work_group_reduce_##op(T value) {                        \
    uint mask = members();                                              \
    value = reduce_##op(mask, value);                                   \
    uint count = sub_group_count();                                     \
    if (count == 1) return value;                                       \
    if (lane() == 0) SLOTS(T)[sub_group_index()] = value;               \
    __syncthreads();                                                    \
    value = gather_##op##_##T(count);                                   \
    __syncthreads();                                                    \
    return reduce_##op(mask, value);                                    \
  }
#define ARITHMETIC(T) COMMON_OPERATIONS(REDUCTION, T) REDUCTION(mul, T)
#define BITWISE(T) BIT_OPERATIONS(REDUCTION, T)
COLLECTIVE_TYPES(ARITHMETIC)
COLLECTIVE_INTEGERS(BITWISE)
