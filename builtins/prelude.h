// SPDX-License-Identifier: Apache-2.0
// Included ahead of every program, after opencl-c-base.h: what OpenCL C defines and Clang does not.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

// Inline PTX, as NVIDIA's OpenCL spells it; -cl-std= has the keyword with underscores only.
#define asm __asm__
