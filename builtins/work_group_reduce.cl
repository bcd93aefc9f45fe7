// SPDX-License-Identifier: Apache-2.0
// Reductions over the work-group (OpenCL C 6.15.16; cl_khr_work_group_uniform_arithmetic).
#include "work_group.h"

#define REDUCTION(op, T)                                   \
  SUB_GROUP_ARITHMETIC(op, T)                              \
  GATHER(op, T)                                            \
  T COLLECTIVE work_group_reduce_##op(T value) {           \
    value = reduce_all_##op(value);                        \
    uint count = sub_group_count();                        \
    if (count == 1) return value;                          \
    if (lane() == 0) TOTALS(T)[sub_group_index()] = value; \
    __syncthreads();                                       \
    value = gather_##op(IDENTITY(op, T), count);           \
    __syncthreads();                                       \
    return value;                                          \
  }
#define ARITHMETIC(T) COMMON_OPERATIONS(REDUCTION, T) REDUCTION(mul, T)
#define BITWISE(T) BIT_OPERATIONS(REDUCTION, T)
COLLECTIVE_TYPES(ARITHMETIC)
COLLECTIVE_INTEGERS(BITWISE)
