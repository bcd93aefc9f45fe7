// SPDX-License-Identifier: Apache-2.0
// Reductions over the work-group (OpenCL C 6.15.16; cl_khr_work_group_uniform_arithmetic).
#include "work_group.h"

// Where there are several sub-groups, the first is a whole one.
#define REDUCTION(op, T)                                                                      \
  SUB_GROUP_ARITHMETIC(op, T)                                                                 \
  T COLLECTIVE work_group_reduce_##op(T value) {                                              \
    value = reduce_all_##op(value);                                                           \
    uint count = sub_group_count();                                                           \
    if (count == 1) return value;                                                             \
    uint here = sub_group_index();                                                            \
    if (lane() == 0) TOTALS(T)[here] = value;                                                 \
    __syncthreads();                                                                          \
    if (here == 0) {                                                                          \
      value = reduce_first_##op(lane() < count ? TOTALS(T)[lane()] : IDENTITY(op, T), count); \
      if (lane() == 0) RESULTS(T)[0] = value;                                                 \
    }                                                                                         \
    __syncthreads();                                                                          \
    return RESULTS(T)[0];                                                                     \
  }
#define ARITHMETIC(T) COMMON_OPERATIONS(REDUCTION, T) REDUCTION(mul, T)
#define BITWISE(T) BIT_OPERATIONS(REDUCTION, T)
COLLECTIVE_TYPES(ARITHMETIC)
COLLECTIVE_INTEGERS(BITWISE)
