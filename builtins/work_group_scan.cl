// SPDX-License-Identifier: Apache-2.0
// Scans over the work-group, in the order of the local linear id (OpenCL C 6.15.16; cl_khr_work_group_uniform_arithmetic).
#include "work_group.h"

// Scans within the sub-group, then over the totals of the preceding sub-groups. If there are several, the first one is full.
#define SCAN(op, T)                                                                \
  SUB_GROUP_SCAN(op, T)                                                            \
  HELPER T ahead_##op(T inclusive) {                                               \
    uint count = sub_group_count();                                                \
    if (count == 1) return IDENTITY(op, T);                                        \
    uint here = sub_group_index();                                                 \
    if (lane() == WARP_SIZE - 1) TOTALS(T)[here] = inclusive;                      \
    __syncthreads();                                                               \
    if (here == 0) {                                                               \
      T total = lane() < count - 1 ? TOTALS(T)[lane()] : IDENTITY(op, T);          \
      RESULTS(T)[lane()] = without_own_##op(scan_first_##op(total, count), total); \
    }                                                                              \
    __syncthreads();                                                               \
    return RESULTS(T)[here];                                                       \
  }                                                                                \
  T COLLECTIVE work_group_scan_inclusive_##op(T value) {                           \
    value = contiguous_scan_##op(value);                                           \
    return APPLY_##op(ahead_##op(value), value);                                   \
  }                                                                                \
  T COLLECTIVE work_group_scan_exclusive_##op(T value) {                           \
    T inclusive = contiguous_scan_##op(value);                                     \
    return APPLY_##op(ahead_##op(inclusive), without_own_##op(inclusive, value));  \
  }
#define ARITHMETIC(T) COMMON_OPERATIONS(SCAN, T) SCAN(mul, T)
#define BITWISE(T) BIT_OPERATIONS(SCAN, T)
COLLECTIVE_TYPES(ARITHMETIC)
COLLECTIVE_INTEGERS(BITWISE)

// Predicates become 0 and 1, so that bitwise operations can be used.
#define LOGICAL(op)                                                      \
  int COLLECTIVE work_group_scan_inclusive_logical_##op(int predicate) { \
    return work_group_scan_inclusive_##op(predicate != 0);               \
  }                                                                      \
  int COLLECTIVE work_group_scan_exclusive_logical_##op(int predicate) { \
    return work_group_scan_exclusive_##op(predicate != 0) & 1;           \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
