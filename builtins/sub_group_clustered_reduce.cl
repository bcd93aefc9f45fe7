// SPDX-License-Identifier: Apache-2.0
// Reductions over clusters of adjacent work-items (cl_khr_subgroup_clustered_reduce).
#include "sub_group_arithmetic.h"

#define REDUCTION(op, T)                                             \
  SUB_GROUP_SCAN(op, T)                                              \
  SUB_GROUP_REDUCE(op, T)                                            \
  T COLLECTIVE sub_group_clustered_reduce_##op(T value, uint size) { \
    return cluster_##op(existing(active()), value, size);            \
  }
#define ARITHMETIC(T) COMMON_OPERATIONS(REDUCTION, T) REDUCTION(mul, T)
#define BITWISE(T) BIT_OPERATIONS(REDUCTION, T)
SCALAR_TYPES(ARITHMETIC)
INTEGER_TYPES(BITWISE)

int COLLECTIVE sub_group_clustered_reduce_logical_and(int predicate, uint size) {
  return (__nvvm_vote_ballot_sync(active(), predicate == 0) & cluster(size)) == 0;
}
int COLLECTIVE sub_group_clustered_reduce_logical_or(int predicate, uint size) {
  return (__nvvm_vote_ballot_sync(active(), predicate != 0) & cluster(size)) != 0;
}
int COLLECTIVE sub_group_clustered_reduce_logical_xor(int predicate, uint size) {
  return __builtin_popcount(__nvvm_vote_ballot_sync(active(), predicate != 0) & cluster(size)) & 1;
}
