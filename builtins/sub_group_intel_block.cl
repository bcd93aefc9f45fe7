// SPDX-License-Identifier: Apache-2.0
// Block reads and writes of cl_intel_subgroups and related extensions, in global and local memory: element i of a lane is at 32 · i.
#include "sub_group.h"

#define BLOCK(name, space, T, n)                                                            \
  T##n COLLECTIVE intel_sub_group_block_read##name##n(const space T* from) {                \
    T##n value;                                                                             \
    _Pragma("unroll") for (uint i = 0; i < n; ++i) value[i] = from[lane() + i * WARP_SIZE]; \
    return value;                                                                           \
  }                                                                                         \
  void COLLECTIVE intel_sub_group_block_write##name##n(space T* to, T##n value) {           \
    _Pragma("unroll") for (uint i = 0; i < n; ++i) to[lane() + i * WARP_SIZE] = value[i];   \
  }
#define BLOCKS_IN(name, space, T)                                                                 \
  T COLLECTIVE intel_sub_group_block_read##name(const space T* from) { return from[lane()]; }     \
  void COLLECTIVE intel_sub_group_block_write##name(space T* to, T value) { to[lane()] = value; } \
  BLOCK(name, space, T, 2) BLOCK(name, space, T, 4) BLOCK(name, space, T, 8) BLOCK(name, space, T, 16)
#define BLOCKS(name, T) BLOCKS_IN(name, __global, T) BLOCKS_IN(name, __local, T)
BLOCKS(, uint)
BLOCKS(_ui, uint)
BLOCKS(_us, ushort)
BLOCKS(_uc, uchar)
BLOCKS(_ul, ulong)
