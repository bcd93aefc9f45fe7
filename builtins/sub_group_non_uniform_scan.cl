// SPDX-License-Identifier: Apache-2.0
// Scans over the active work-items (cl_khr_subgroup_non_uniform_arithmetic).
#include "sub_group_arithmetic.h"

SCALAR_TYPES(SUB_GROUP_PRECEDING)

#define SCAN(op, T)                                                                                      \
  SUB_GROUP_SCAN(op, T)                                                                                  \
  T COLLECTIVE sub_group_non_uniform_scan_inclusive_##op(T value) { return scan_##op(active(), value); } \
  T COLLECTIVE sub_group_non_uniform_scan_exclusive_##op(T value) {                                      \
    uint mask = active();                                                                                \
    return preceding(mask, scan_##op(mask, value), IDENTITY(op, T));                                     \
  }
#define ARITHMETIC(T) COMMON_OPERATIONS(SCAN, T) SCAN(mul, T)
#define BITWISE(T) BIT_OPERATIONS(SCAN, T)
SCALAR_TYPES(ARITHMETIC)
INTEGER_TYPES(BITWISE)

// A ballot suffices: it shows in which lanes of the group, up to this one, the predicate is set.
#define LOGICAL_and(set, group) ((set) == (group))
#define LOGICAL_or(set, group) ((set) != 0)
#define LOGICAL_xor(set, group) (__builtin_popcount(set) & 1)
#define LOGICAL_SCAN(op, kind, lanes)                                              \
  int COLLECTIVE sub_group_non_uniform_scan_##kind##_logical_##op(int predicate) { \
    uint mask = active();                                                          \
    uint group = mask & (lanes);                                                   \
    uint set = __nvvm_vote_ballot_sync(mask, predicate != 0) & group;              \
    return LOGICAL_##op(set, group);                                               \
  }
#define LOGICAL_SCANS(op)                                         \
  LOGICAL_SCAN(op, inclusive, __nvvm_read_ptx_sreg_lanemask_le()) \
  LOGICAL_SCAN(op, exclusive, lanes_below())
LOGICAL_SCANS(and)
LOGICAL_SCANS(or)
LOGICAL_SCANS(xor)
