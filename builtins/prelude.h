// SPDX-License-Identifier: Apache-2.0
// Included ahead of every program, after opencl-c-base.h: what OpenCL C defines and Clang does not.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

// fma is one instruction on every chip (OpenCL C 6.15.2.1).
#define FP_FAST_FMAF
#ifdef cl_khr_fp64
#define FP_FAST_FMA
#endif
#ifdef cl_khr_fp16
#define FP_FAST_FMA_HALF
#endif

// The aligned forms for one half, which programs use though the specification lists those for vectors only: any half is aligned.
#define vloada_half vload_half
#define vstorea_half vstore_half
#define vstorea_half_rte vstore_half_rte
#define vstorea_half_rtz vstore_half_rtz
#define vstorea_half_rtp vstore_half_rtp
#define vstorea_half_rtn vstore_half_rtn

// A channel type of images, and the feature that tells of it.
#ifdef cl_ext_image_unorm_int_2_101010
#define CLK_UNORM_INT_2_101010_EXT 0x10E5
#define __opencl_c_ext_image_unorm_int_2_101010 1
#endif

// Inline PTX, as NVIDIA's OpenCL spells it; -cl-std= has the keyword with underscores only.
#define asm __asm__

// Sub-group and work-group functions that Clang's table lacks.
#define __clcuda_collective __attribute__((overloadable)) __attribute__((convergent))
#ifdef cl_khr_extended_async_copies
#define __clcuda_copies(to, from)                                                                            \
  event_t __clcuda_collective async_work_group_copy_2D2D(to void*, size_t, const from void*, size_t, size_t, \
                                                         size_t, size_t, size_t, size_t, event_t);           \
  event_t __clcuda_collective async_work_group_copy_3D3D(to void*, size_t, const from void*, size_t, size_t, \
                                                         size_t, size_t, size_t, size_t, size_t, size_t,     \
                                                         size_t, event_t);
__clcuda_copies(__local, __global) __clcuda_copies(__global, __local)
#undef __clcuda_copies
#endif
#ifdef cl_khr_async_work_group_copy_fence
    void __clcuda_collective async_work_group_copy_fence(cl_mem_fence_flags);
#endif
#ifdef cl_khr_work_group_uniform_arithmetic
#define __clcuda_arithmetic(op, T)                         \
  T __clcuda_collective work_group_reduce_##op(T);         \
  T __clcuda_collective work_group_scan_inclusive_##op(T); \
  T __clcuda_collective work_group_scan_exclusive_##op(T);
#define __clcuda_integers(op)                                                              \
  __clcuda_arithmetic(op, int) __clcuda_arithmetic(op, uint) __clcuda_arithmetic(op, long) \
      __clcuda_arithmetic(op, ulong)
__clcuda_integers(and) __clcuda_integers(or) __clcuda_integers(xor) __clcuda_integers(mul)
    __clcuda_arithmetic(mul, float)
#ifdef cl_khr_fp64
        __clcuda_arithmetic(mul, double)
#endif
#ifdef cl_khr_fp16
            __clcuda_arithmetic(mul, half)
#endif
                __clcuda_arithmetic(logical_and, int) __clcuda_arithmetic(logical_or, int)
                    __clcuda_arithmetic(logical_xor, int)
#undef __clcuda_integers
#undef __clcuda_arithmetic
#endif

#undef __clcuda_collective
