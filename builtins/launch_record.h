// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a launch tells a kernel beyond CUDA's special registers: the hidden last parameter of kernels that need it. Written by the
// runtime (C++), read by builtins/ (OpenCL C); the same layout for both, so only fixed-size types.
//
// A kernel is compiled in up to two variants:
//   uniform: global offset 0, one launch, every work-group of the full size, global sizes below 2^31. Ids come from special registers in 32 bits;
//            only the work dimension and the printf buffer need the record.
//   general: everything else. Ids come from the record.
// A kernel takes the record as a by-value parameter behind its own, and only if the variant in question reads it
// (compiler::KernelCode::launch_record_offset).
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
};

#ifdef __OPENCL_VERSION__
// Resolved by the compiler (src/compiler/passes/resolve_launch_variant.cpp): the record of the running launch, and whether this
// variant of the kernel is the uniform one.
const struct clcuda_launch_record* __clcuda_launch_record(void) __attribute__((const));
int __clcuda_uniform_launch(void) __attribute__((const));
#endif
