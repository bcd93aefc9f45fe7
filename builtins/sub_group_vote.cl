// SPDX-License-Identifier: Apache-2.0
// Votes (OpenCL C 6.15.19; cl_khr_subgroup_non_uniform_vote).
#include "sub_group.h"

int COLLECTIVE sub_group_all(int predicate) { return __nvvm_vote_all_sync(ALL, predicate != 0); }
int COLLECTIVE sub_group_any(int predicate) { return __nvvm_vote_any_sync(ALL, predicate != 0); }

int COLLECTIVE sub_group_elect(void) { return lane() == lowest(active()); }
int COLLECTIVE sub_group_non_uniform_all(int predicate) {
  return __nvvm_vote_all_sync(active(), predicate != 0);
}
int COLLECTIVE sub_group_non_uniform_any(int predicate) {
  return __nvvm_vote_any_sync(active(), predicate != 0);
}

// Compares by value: zeros of either sign are equal, a NaN is not equal to itself.
#define ALL_EQUAL(T)                                          \
  int COLLECTIVE sub_group_non_uniform_all_equal(T value) {   \
    uint mask = active();                                     \
    T first = exchange(from_lane, mask, value, lowest(mask)); \
    return __nvvm_vote_all_sync(mask, value == first);        \
  }
SCALAR_TYPES(ALL_EQUAL)
