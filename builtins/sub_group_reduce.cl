// SPDX-License-Identifier: Apache-2.0
// Reductions in which all work-items of the sub-group take part (OpenCL C 6.15.19; cl_khr_subgroup_extended_types).
#include "sub_group_arithmetic.h"

#define REDUCTION(op, T)  \
  SUB_GROUP_SCAN(op, T)   \
  SUB_GROUP_REDUCE(op, T) \
  T COLLECTIVE sub_group_reduce_##op(T value) { return reduce_all_##op(value); }
#define REDUCTIONS(T) COMMON_OPERATIONS(REDUCTION, T)
SCALAR_TYPES(REDUCTIONS)
