// SPDX-License-Identifier: Apache-2.0
// Reductions over the work-group (OpenCL C 6.15.16; cl_khr_work_group_uniform_arithmetic).
#include "work_group.h"

// Moving values between lanes takes most of the time. So a sub-group is reduced only until the remaining lanes of all sub-groups fit in the
// totals; one instruction for the whole sub-group is better still. If there are several sub-groups, the first one is full.
#define LANES_LEFT(op, T, count)                    \
  (REDUX_SERVES(op, T) ? 1                          \
                       : __builtin_elementwise_min( \
                             WARP_SIZE, TOTALS_SIZE / (uint)sizeof(T) >> (32 - __builtin_clz(count - 1))))

// fold_<op>: reduces a sub-group to the first `left` lanes.
#define REDUCTION(op, T)                                                                      \
  SUB_GROUP_ARITHMETIC(op, T)                                                                 \
  HELPER T fold_##op(T value, uint left) {                                                    \
    TRY_REDUX(op, T, ALL, value)                                                              \
    uint count = members_count();                                                             \
    for (uint distance = WARP_SIZE / 2; distance >= left; distance /= 2) {                    \
      T other = exchange(from_above, ALL, value, distance);                                   \
      if (count == WARP_SIZE || lane() + distance < count) value = APPLY_##op(value, other);  \
    }                                                                                         \
    return value;                                                                             \
  }                                                                                           \
  HELPER T reduce_totals_##op(T identity, uint count) {                                       \
    T value = lane() < count ? TOTALS(T)[lane()] : identity;                                  \
    _Pragma("unroll") for (uint i = WARP_SIZE; i < TOTALS_SIZE / sizeof(T); i += WARP_SIZE) { \
      if (lane() + i < count) value = APPLY_##op(value, TOTALS(T)[lane() + i]);               \
    }                                                                                         \
    return reduce_first_##op(value, count);                                                   \
  }                                                                                           \
  T COLLECTIVE work_group_reduce_##op(T value) {                                              \
    uint count = sub_group_count();                                                           \
    if (count == 1) return reduce_all_##op(value);                                            \
    uint left = LANES_LEFT(op, T, count), here = sub_group_index();                           \
    value = fold_##op(value, left);                                                           \
    if (lane() < left) TOTALS(T)[here * left + lane()] = value;                               \
    __syncthreads();                                                                          \
    if (here == 0) {                                                                          \
      uint last = __builtin_elementwise_min(left, local_count() - (count - 1) * WARP_SIZE);   \
      value = reduce_totals_##op(IDENTITY(op, T), (count - 1) * left + last);                 \
      if (lane() == 0) RESULTS(T)[0] = value;                                                 \
    }                                                                                         \
    __syncthreads();                                                                          \
    return RESULTS(T)[0];                                                                     \
  }
#define ARITHMETIC(T) COMMON_OPERATIONS(REDUCTION, T) REDUCTION(mul, T)
#define BITWISE(T) BIT_OPERATIONS(REDUCTION, T)
COLLECTIVE_TYPES(ARITHMETIC)
COLLECTIVE_INTEGERS(BITWISE)
