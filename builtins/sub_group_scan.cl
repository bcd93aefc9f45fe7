// SPDX-License-Identifier: Apache-2.0
// Scans in which all work-items of the sub-group take part (OpenCL C 6.15.19; cl_khr_subgroup_extended_types).
#include "sub_group_arithmetic.h"

#define SCAN(op, T)                                                                           \
  SUB_GROUP_SCAN(op, T)                                                                       \
  T COLLECTIVE sub_group_scan_inclusive_##op(T value) { return contiguous_scan_##op(value); } \
  T COLLECTIVE sub_group_scan_exclusive_##op(T value) {                                       \
    return without_own_##op(contiguous_scan_##op(value), value);                              \
  }
#define SCANS(T) COMMON_OPERATIONS(SCAN, T)
SCALAR_TYPES(SCANS)
