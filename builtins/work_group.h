// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the work-group collective functions share (OpenCL C 6.15.16): results of the sub-groups meet in local
// memory.
//
// `totals` and `results` have a place of 8 bytes per sub-group (work_group_slots.ll: OpenCL C has local
// variables in kernels only). A function writes totals, waits, lets the first sub-group read them and write
// results, waits, and reads results. So functions can follow each other without further barriers: totals are
// last read ahead of the second barrier of a function and written again behind it, results are last read
// behind it and written again behind the first barrier of the next.
#include "sub_group_arithmetic.h"

__local ulong* __clcuda_work_group_slots(void) __attribute__((const));
#define TOTALS(T) ((__local T*)__clcuda_work_group_slots())
#define TOTALS_SIZE (WARP_SIZE * 8)  // bytes
#define RESULTS(T) ((__local T*)(__clcuda_work_group_slots() + WARP_SIZE))

#define COLLECTIVE_TYPES(F) F(int) F(uint) F(long) F(ulong) FLOATING_TYPES(F)
#define COLLECTIVE_INTEGERS(F) F(int) F(uint) F(long) F(ulong)
