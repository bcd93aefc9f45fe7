// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the sub-group and work-group families share: who is in the sub-group, and moving values between its
// lanes.
//
// A sub-group is a warp. Lanes are numbered by the local linear id (x fastest), which is the order in which
// the hardware fills warps, so %laneid is the id within the sub-group; only the last sub-group of a
// work-group can have fewer than 32.
#include "chip.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define OVERLOAD __attribute__((overloadable))
#define COLLECTIVE OVERLOAD __attribute__((convergent))
// Of the helpers that these headers define for all types, a family uses some.
#define HELPER static inline __attribute__((unused, overloadable, convergent))
#define WARP_SIZE 32u
#define FULL_WARP 0xffffffffu

#define INTEGER_TYPES(F) F(char) F(uchar) F(short) F(ushort) F(int) F(uint) F(long) F(ulong)
#define FLOATING_TYPES(F) F(half) F(float) F(double)
#define SCALAR_TYPES(F) INTEGER_TYPES(F) FLOATING_TYPES(F)

static inline uint lane(void) {
  uint id = __nvvm_read_ptx_sreg_laneid();
  __builtin_assume(id < WARP_SIZE);
  return id;
}

// Of this work-group as it runs: the last ones of a non-uniform range are launched with their own block size.
static inline uint local_count(void) {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_ntid_z();
}

static inline uint local_linear_id(void) {
  return (__nvvm_read_ptx_sreg_tid_z() * __nvvm_read_ptx_sreg_ntid_y() + __nvvm_read_ptx_sreg_tid_y()) *
             __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}

static inline uint sub_group_index(void) { return local_linear_id() / WARP_SIZE; }
static inline uint sub_group_count(void) { return (local_count() + WARP_SIZE - 1) / WARP_SIZE; }

static inline uint members_count(void) {
  uint here_and_after = local_count() - (local_linear_id() & ~(WARP_SIZE - 1));
  return here_and_after < WARP_SIZE ? here_and_after : WARP_SIZE;
}

// The mask for functions that every work-item of the sub-group reaches. The .sync instructions wait for the
// lanes of their mask that exist and have not returned, so that lanes which the hardware happens to run apart
// meet there, and those which the last sub-group lacks keep no one waiting; only their values must not be
// used. (A mask that is not a constant costs several instructions per operation, by which the hardware finds
// out who has the same.)
#define ALL FULL_WARP

// The mask for functions that some work-items may never reach. The compiler puts another in its place: the
// full one where it is shown that all come (the pass prove_full_masks), or else the set of those that took
// the same way since they were together (track_active_masks).
static inline uint active(void) { return __nvvm_activemask(); }

// The same for functions to which the mask is a set: where the compiler has proven that all lanes come (the
// pass prove_full_masks), it is a constant, with bits for lanes which the last sub-group lacks as well.
bool __clcuda_is_constant_later(uint);
static inline uint existing(uint mask) {
  return __clcuda_is_constant_later(mask) ? FULL_WARP >> (WARP_SIZE - members_count()) : mask;
}

static inline uint lanes_below(void) { return __nvvm_read_ptx_sreg_lanemask_lt(); }
static inline uint lowest(uint mask) { return __builtin_ctz(mask); }
static inline uint highest(uint mask) { return 31 - __builtin_clz(mask); }

// The lanes of this lane's cluster: `size` neighbours, a power of two.
static inline uint cluster(uint size) {
  return size >= WARP_SIZE ? FULL_WARP : ((1u << size) - 1) << (lane() & ~(size - 1));
}

enum exchange_mode { from_lane, from_below, from_above, across };

HELPER uint exchange_word(enum exchange_mode mode, uint mask, uint word, uint operand) {
  switch (mode) {
    case from_lane:
      return __nvvm_shfl_sync_idx_i32(mask, word, operand, 31);
    case from_below:
      return __nvvm_shfl_sync_up_i32(mask, word, operand, 0);
    case from_above:
      return __nvvm_shfl_sync_down_i32(mask, word, operand, 31);
    default:
      return __nvvm_shfl_sync_bfly_i32(mask, word, operand, 31);
  }
}

// A value moves as whole words.
#define EXCHANGE(T)                                                               \
  HELPER T exchange(enum exchange_mode mode, uint mask, T value, uint operand) {  \
    union {                                                                       \
      T value;                                                                    \
      uint words[(sizeof(T) + 3) / 4];                                            \
    } cell;                                                                       \
    cell.words[0] = 0;                                                            \
    cell.value = value;                                                           \
    _Pragma("unroll") for (uint i = 0; i < sizeof(cell) / 4; ++i) cell.words[i] = \
        exchange_word(mode, mask, cell.words[i], operand);                        \
    return cell.value;                                                            \
  }
SCALAR_TYPES(EXCHANGE)
