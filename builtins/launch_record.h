// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a launch tells a kernel beyond CUDA's special registers: the hidden last parameter of kernels that
// need it. Written by the runtime (C++), read by builtins/ (OpenCL C); the same layout for both, so only
// fixed-size types.
//
// A kernel is compiled in up to two variants:
//   uniform: global offset 0, one launch, every work-group of the full size and none stacked, global sizes below 2^31. Ids come from
//            special registers in 32 bits; only the work dimension and the printf buffer need the record.
//   general: everything else. Ids come from the record.
// A kernel takes the record as a by-value parameter behind its own, and only if the variant in question reads
// it (compiler::KernelCode::launch_record_offset).
#include "fixed_size_types.h"

struct clcuda_launch_record {
  clcuda_u64 global_offset[3];
  clcuda_u64 global_size[3];
  clcuda_u64 group_offset[3];  // of this part of a split launch, in work-groups
  clcuda_u64 group_count[3];   // of the whole ND-range
  clcuda_u32 enqueued_local_size[3];
  clcuda_u32 work_dim;
  clcuda_u64 printf_buffer;  // device address of a clcuda_printf_buffer; 0 where there is none
  // Of kernels that enqueue (device_tasks.h), and of what they enqueue:
  clcuda_u64 tasks;  // device address of a clcuda_tasks
  clcuda_u64
      task;  // the running task, or the one that the running kernel counts as a part of; 0: the launch itself
  clcuda_u64 default_queue;  // the device's default queue, 0 if it has none
  // Of stacked groups (below), otherwise 0: the rows of a layer, and 2^16 divided by that, rounded up.
  clcuda_u32 stacked_rows;
  clcuda_u32 stacked_rows_inverse;
};

// CUDA's blocks have 64 layers at most (their third dimension). A group with more is a block of one layer in
// which the rows of all of them lie one behind the other, so that the order of its work-items is what it was.
// The general variant tells them apart again.
#define CLCUDA_MOST_LAYERS 64
static inline void clcuda_stack_layers(struct clcuda_launch_record* record, clcuda_u32* block) {
  const clcuda_u32 rows = block[2] > CLCUDA_MOST_LAYERS ? block[1] : 0;
  record->stacked_rows = rows;
  record->stacked_rows_inverse = rows ? (0x10000 + rows - 1) / rows : 0;
  if (!rows) return;
  block[1] *= block[2];
  block[2] = 1;
}

#ifdef __OPENCL_VERSION__
// Resolved by the compiler (its pass resolve_launch_variant): the record of the running launch, and whether
// this variant of the kernel is the uniform one.
const struct clcuda_launch_record* __clcuda_launch_record(void) __attribute__((const));
int __clcuda_uniform_launch(void) __attribute__((const));
#endif
