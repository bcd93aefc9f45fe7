// SPDX-License-Identifier: Apache-2.0
// Reductions over the active work-items (cl_khr_subgroup_non_uniform_arithmetic).
#include "sub_group_arithmetic.h"

#define REDUCTION(op, T)      \
  SUB_GROUP_ARITHMETIC(op, T) \
  T COLLECTIVE sub_group_non_uniform_reduce_##op(T value) { return reduce_##op(existing(active()), value); }
#define ARITHMETIC(T) COMMON_OPERATIONS(REDUCTION, T) REDUCTION(mul, T)
#define BITWISE(T) BIT_OPERATIONS(REDUCTION, T)
SCALAR_TYPES(ARITHMETIC)
INTEGER_TYPES(BITWISE)

int COLLECTIVE sub_group_non_uniform_reduce_logical_and(int predicate) {
  return __nvvm_vote_all_sync(active(), predicate != 0);
}
int COLLECTIVE sub_group_non_uniform_reduce_logical_or(int predicate) {
  return __nvvm_vote_any_sync(active(), predicate != 0);
}
int COLLECTIVE sub_group_non_uniform_reduce_logical_xor(int predicate) {
  return __builtin_popcount(__nvvm_vote_ballot_sync(active(), predicate != 0)) & 1;
}
