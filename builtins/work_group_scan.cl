// SPDX-License-Identifier: Apache-2.0
// Scans over the work-group, in the order of the local linear id (OpenCL C 6.15.16; cl_khr_work_group_uniform_arithmetic).
#include "work_group.h"

// Within the sub-group, then over the totals of the sub-groups ahead of it: one exchange.
#define SCAN(op, T)                                                                                   \
  SUB_GROUP_ARITHMETIC(op, T)                                                                         \
  WORK_GROUP_GATHER(op, T)                                                                            \
  HELPER T ahead_##op(uint mask, T inclusive) {                                     \
    if (sub_group_count() == 1) return IDENTITY(op, T);                                               \
    if (lane() == members_count() - 1) SLOTS(T)[sub_group_index()] = inclusive;                       \
    __syncthreads();                                                                                  \
    T value = gather_##op##_##T(sub_group_index());                                                   \
    __syncthreads();                                                                                  \
    return reduce_##op(mask, value);                                                                  \
  }                                                                                                   \
  T COLLECTIVE work_group_scan_inclusive_##op(T value) {                                              \
    uint mask = members();                                                                            \
    value = contiguous_scan_##op(mask, value);                                                        \
    return APPLY_##op(ahead_##op(mask, value), value);                                                \
  }                                                                                                   \
  T COLLECTIVE work_group_scan_exclusive_##op(T value) {                                              \
    uint mask = members();                                                                            \
    value = contiguous_scan_##op(mask, value);                                                        \
    T before = exchange(from_below, mask, value, 1);                                                  \
    return APPLY_##op(ahead_##op(mask, value), lane() ? before : IDENTITY(op, T));                    \
  }
#define ARITHMETIC(T) COMMON_OPERATIONS(SCAN, T) SCAN(mul, T)
#define BITWISE(T) BIT_OPERATIONS(SCAN, T)
COLLECTIVE_TYPES(ARITHMETIC)
COLLECTIVE_INTEGERS(BITWISE)

// Predicates are 0 and 1, and the operations on bits do the rest.
#define LOGICAL(op)                                                                                                             \
  int COLLECTIVE work_group_scan_inclusive_logical_##op(int predicate) { return work_group_scan_inclusive_##op(predicate != 0); } \
  int COLLECTIVE work_group_scan_exclusive_logical_##op(int predicate) {                                                        \
    return work_group_scan_exclusive_##op(predicate != 0) & 1;                                                                  \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
