// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the work-group collective functions share (OpenCL C 6.15.16): results of the sub-groups meet in local memory.
//
// Every function leaves `slots` free: it ends, or at least stops reading, with a barrier, so that the next one may write at once.
#include "sub_group_arithmetic.h"

// One place of 8 bytes per sub-group (work_group_slots.ll: OpenCL C has local variables in kernels only).
__local ulong* __clcuda_work_group_slots(void) __attribute__((const));
#define SLOTS(T) ((__local T*)__clcuda_work_group_slots())

#define COLLECTIVE_TYPES(F) F(int) F(uint) F(long) F(ulong) FLOATING_TYPES(F)
#define COLLECTIVE_INTEGERS(F) F(int) F(uint) F(long) F(ulong)

// gather_<op>: over the slots of the first `count` sub-groups, by the lanes of one, which may be fewer than the slots.
#define WORK_GROUP_GATHER(op, T)                                                       \
  HELPER T gather_##op##_##T(uint count) {                                            \
    T value = IDENTITY(op, T);                                                         \
    for (uint i = lane(); i < count; i += members_count())                             \
      value = APPLY_##op(value, SLOTS(T)[i]);                                          \
    return value;                                                                      \
  }
