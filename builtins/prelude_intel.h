// SPDX-License-Identifier: Apache-2.0
// Included behind the prelude where a program may name something of Intel's: cl_intel_subgroups, _char,
// _short, _long, cl_intel_subgroup_local_block_io. To declare all these functions takes longer than to
// compile a small kernel.
#define __clcuda_collective __attribute__((overloadable)) __attribute__((convergent))
#define __clcuda_shuffles(T)                                      \
  T __clcuda_collective intel_sub_group_shuffle(T, uint);         \
  T __clcuda_collective intel_sub_group_shuffle_xor(T, uint);     \
  T __clcuda_collective intel_sub_group_shuffle_down(T, T, uint); \
  T __clcuda_collective intel_sub_group_shuffle_up(T, T, uint);
#define __clcuda_vector_shuffles(T)                                                            \
  __clcuda_shuffles(T) __clcuda_shuffles(T##2) __clcuda_shuffles(T##3) __clcuda_shuffles(T##4) \
      __clcuda_shuffles(T##8) __clcuda_shuffles(T##16)
__clcuda_vector_shuffles(int) __clcuda_vector_shuffles(uint) __clcuda_vector_shuffles(float)
    __clcuda_shuffles(long) __clcuda_shuffles(ulong)
#ifdef cl_khr_fp64
        __clcuda_shuffles(double)
#endif
#ifdef cl_khr_fp16
            __clcuda_shuffles(half)
#endif
#ifdef cl_intel_subgroups_short
                __clcuda_vector_shuffles(short) __clcuda_vector_shuffles(ushort)
#endif
#ifdef cl_intel_subgroups_char
                    __clcuda_vector_shuffles(char) __clcuda_vector_shuffles(uchar)
#endif
#undef __clcuda_vector_shuffles
#undef __clcuda_shuffles

#define __clcuda_block(name, T, n)                                                  \
  T##n __clcuda_collective intel_sub_group_block_read##name##n(const __global T*);  \
  void __clcuda_collective intel_sub_group_block_write##name##n(__global T*, T##n); \
  __clcuda_local_block(name, T, n) __clcuda_image_block(name, T, n)
#ifdef cl_intel_subgroup_local_block_io
#define __clcuda_local_block(name, T, n)                                          \
  T##n __clcuda_collective intel_sub_group_block_read##name##n(const __local T*); \
  void __clcuda_collective intel_sub_group_block_write##name##n(__local T*, T##n);
#else
#define __clcuda_local_block(name, T, n)
#endif
#ifdef __IMAGE_SUPPORT__
#define __clcuda_image_block(name, T, n)                                                           \
  T##n __clcuda_collective intel_sub_group_block_read##name##n(read_only image2d_t, int2);         \
  void __clcuda_collective intel_sub_group_block_write##name##n(write_only image2d_t, int2, T##n); \
  __clcuda_read_write_image_block(name, T, n)
#else
#define __clcuda_image_block(name, T, n)
#endif
#ifdef __opencl_c_read_write_images
#define __clcuda_read_write_image_block(name, T, n)                                         \
  T##n __clcuda_collective intel_sub_group_block_read##name##n(read_write image2d_t, int2); \
  void __clcuda_collective intel_sub_group_block_write##name##n(read_write image2d_t, int2, T##n);
#else
#define __clcuda_read_write_image_block(name, T, n)
#endif
#define __clcuda_blocks(name, T) \
  __clcuda_block(name, T, ) __clcuda_block(name, T, 2) __clcuda_block(name, T, 4) __clcuda_block(name, T, 8)
                        __clcuda_blocks(, uint)
#if defined(cl_intel_subgroups_char) || defined(cl_intel_subgroups_short) || defined(cl_intel_subgroups_long)
                            __clcuda_blocks(_ui, uint)
#endif
#ifdef cl_intel_subgroups_short
                                __clcuda_blocks(_us, ushort) __clcuda_block(_us, ushort, 16)
#endif
#ifdef cl_intel_subgroups_char
                                    __clcuda_blocks(_uc, uchar) __clcuda_block(_uc, uchar, 16)
#endif
#ifdef cl_intel_subgroups_long
                                        __clcuda_blocks(_ul, ulong)
#endif
#undef __clcuda_blocks
#undef __clcuda_local_block
#undef __clcuda_image_block
#undef __clcuda_read_write_image_block
#undef __clcuda_block

// For the narrow types what the Khronos extension has for all of them.
#if defined(cl_intel_subgroups_char) || defined(cl_intel_subgroups_short)
#define intel_sub_group_broadcast sub_group_broadcast
#define intel_sub_group_reduce_add sub_group_reduce_add
#define intel_sub_group_reduce_min sub_group_reduce_min
#define intel_sub_group_reduce_max sub_group_reduce_max
#define intel_sub_group_scan_inclusive_add sub_group_scan_inclusive_add
#define intel_sub_group_scan_inclusive_min sub_group_scan_inclusive_min
#define intel_sub_group_scan_inclusive_max sub_group_scan_inclusive_max
#define intel_sub_group_scan_exclusive_add sub_group_scan_exclusive_add
#define intel_sub_group_scan_exclusive_min sub_group_scan_exclusive_min
#define intel_sub_group_scan_exclusive_max sub_group_scan_exclusive_max
#endif
#undef __clcuda_collective
