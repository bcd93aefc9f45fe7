// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the work-group collective functions share (OpenCL C 6.15.16): results of the sub-groups meet in local memory.
//
// `TOTALS` has a place of 8 bytes per sub-group (work_group_slots.ll: OpenCL C has local variables in kernels only). A function
// writes totals, waits, reads those that it needs, in each work-item alike, and waits again, so that functions can follow each other
// without further barriers.
#include "sub_group_arithmetic.h"

__local ulong* __clcuda_work_group_slots(void) __attribute__((const));
#define TOTALS(T) ((__local T*)__clcuda_work_group_slots())

// Combines the first `count` totals with `start`. Eight at a time: as many as most work-groups have; what lies behind is read too,
// in two accesses of the memory all the same, and left out.
#define GATHER(op, T)                                                \
  HELPER T gather_##op(T start, uint count) {                        \
    const __local T##4 * totals = (const __local T##4 *)TOTALS(T);   \
    for (uint first = 0; first < count; first += 8, totals += 2) {   \
      const T##8 here = (T##8)(totals[0], totals[1]);                \
      _Pragma("unroll") for (uint i = 0; i < 8; ++i) start =         \
          first + i < count ? (T)APPLY_##op(start, here[i]) : start; \
    }                                                                \
    return start;                                                    \
  }

#define COLLECTIVE_TYPES(F) F(int) F(uint) F(long) F(ulong) FLOATING_TYPES(F)
#define COLLECTIVE_INTEGERS(F) F(int) F(uint) F(long) F(ulong)
