// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reductions and scans over the lanes of a sub-group: SUB_GROUP_ARITHMETIC(op, T) defines reduce_<op>,
// cluster_<op> and scan_<op> for one type.
#include "sub_group.h"

#define APPLY_add(a, b) ((a) + (b))
#define APPLY_mul(a, b) ((a) * (b))
#define APPLY_and(a, b) ((a) & (b))
#define APPLY_or(a, b) ((a) | (b))
#define APPLY_xor(a, b) ((a) ^ (b))
#define APPLY_min(a, b) __builtin_elementwise_min(a, b)
#define APPLY_max(a, b) __builtin_elementwise_max(a, b)

#define IDENTITY(op, T) ((T)IDENTITY_##op(T))
#define IDENTITY_add(T) 0
#define IDENTITY_mul(T) 1
#define IDENTITY_and(T) ~0
#define IDENTITY_or(T) 0
#define IDENTITY_xor(T) 0
#define IDENTITY_min(T) GREATEST_##T
#define IDENTITY_max(T) LEAST_##T
#define GREATEST_char CHAR_MAX
#define GREATEST_uchar UCHAR_MAX
#define GREATEST_short SHRT_MAX
#define GREATEST_ushort USHRT_MAX
#define GREATEST_int INT_MAX
#define GREATEST_uint UINT_MAX
#define GREATEST_long LONG_MAX
#define GREATEST_ulong ULONG_MAX
#define GREATEST_half INFINITY
#define GREATEST_float INFINITY
#define GREATEST_double INFINITY
#define LEAST_char CHAR_MIN
#define LEAST_uchar 0
#define LEAST_short SHRT_MIN
#define LEAST_ushort 0
#define LEAST_int INT_MIN
#define LEAST_uint 0
#define LEAST_long LONG_MIN
#define LEAST_ulong 0
#define LEAST_half -INFINITY
#define LEAST_float -INFINITY
#define LEAST_double -INFINITY

// redux.sync: a reduction in one instruction, from sm_80, for integers of up to 32 bits.
#define REDUX(op, type)                                                                                  \
  HELPER uint redux_##op##_##type(uint mask, uint value) {                                               \
    uint result;                                                                                         \
    __asm__ volatile("redux.sync." #op "." #type " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
    return result;                                                                                       \
  }
REDUX(add, s32)
REDUX(min, s32) REDUX(min, u32) REDUX(max, s32) REDUX(max, u32) REDUX(and, b32) REDUX(or, b32) REDUX(xor, b32)

#define REDUX_SIGNED(op, mask, value) REDUX_SIGNED_##op(mask, value)
#define REDUX_SIGNED_add(mask, value) redux_add_s32(mask, value)
#define REDUX_SIGNED_min(mask, value) redux_min_s32(mask, (int)(value))
#define REDUX_SIGNED_max(mask, value) redux_max_s32(mask, (int)(value))
#define REDUX_SIGNED_and(mask, value) redux_and_b32(mask, value)
#define REDUX_SIGNED_or(mask, value) redux_or_b32(mask, value)
#define REDUX_SIGNED_xor(mask, value) redux_xor_b32(mask, value)
#define REDUX_UNSIGNED(op, mask, value) REDUX_UNSIGNED_##op(mask, value)
#define REDUX_UNSIGNED_add(mask, value) redux_add_s32(mask, value)
#define REDUX_UNSIGNED_min(mask, value) redux_min_u32(mask, value)
#define REDUX_UNSIGNED_max(mask, value) redux_max_u32(mask, value)
#define REDUX_UNSIGNED_and(mask, value) redux_and_b32(mask, value)
#define REDUX_UNSIGNED_or(mask, value) redux_or_b32(mask, value)
#define REDUX_UNSIGNED_xor(mask, value) redux_xor_b32(mask, value)

// By type and operation, the single instruction where there is one; nothing otherwise.
#define TRY_REDUX(op, T, mask, value) TRY_REDUX_##T(op, mask, value)
#define TRY_REDUX_char(op, mask, value) TRY_REDUX_WITH(op, SIGNED, char, mask, value)
#define TRY_REDUX_uchar(op, mask, value) TRY_REDUX_WITH(op, UNSIGNED, uchar, mask, value)
#define TRY_REDUX_short(op, mask, value) TRY_REDUX_WITH(op, SIGNED, short, mask, value)
#define TRY_REDUX_ushort(op, mask, value) TRY_REDUX_WITH(op, UNSIGNED, ushort, mask, value)
#define TRY_REDUX_int(op, mask, value) TRY_REDUX_WITH(op, SIGNED, int, mask, value)
#define TRY_REDUX_uint(op, mask, value) TRY_REDUX_WITH(op, UNSIGNED, uint, mask, value)
#define TRY_REDUX_long(op, mask, value)
#define TRY_REDUX_ulong(op, mask, value)
#define TRY_REDUX_half(op, mask, value)
#define TRY_REDUX_float(op, mask, value)
#define TRY_REDUX_double(op, mask, value)
#define TRY_REDUX_WITH(op, sign, T, mask, value) TRY_REDUX_OF_##op(op, sign, T, mask, value)
#define TRY_REDUX_OF(op, sign, T, mask, value) \
  if (chip_is_at_least(80)) return (T)REDUX_##sign(op, mask, value);
#define TRY_REDUX_OF_add TRY_REDUX_OF
#define TRY_REDUX_OF_min TRY_REDUX_OF
#define TRY_REDUX_OF_max TRY_REDUX_OF
#define TRY_REDUX_OF_and TRY_REDUX_OF
#define TRY_REDUX_OF_or TRY_REDUX_OF
#define TRY_REDUX_OF_xor TRY_REDUX_OF
#define TRY_REDUX_OF_mul(op, sign, T, mask, value)

#define REDUX_SERVES(op, T) (REDUX_TYPE_##T && REDUX_OPERATION_##op && chip_is_at_least(80))
#define REDUX_TYPE_int 1
#define REDUX_TYPE_uint 1
#define REDUX_TYPE_long 0
#define REDUX_TYPE_ulong 0
#define REDUX_TYPE_half 0
#define REDUX_TYPE_float 0
#define REDUX_TYPE_double 0
#define REDUX_OPERATION_add 1
#define REDUX_OPERATION_min 1
#define REDUX_OPERATION_max 1
#define REDUX_OPERATION_and 1
#define REDUX_OPERATION_or 1
#define REDUX_OPERATION_xor 1
#define REDUX_OPERATION_mul 0

// What an inclusive scan was before its own value came to it, where that can be taken out again; nothing
// otherwise.
#define TRY_UNDO_add(T, all, own) \
  if ((T)0.5f == 0) return (T)((all) - (own));
#define TRY_UNDO_xor(T, all, own) return (T)((all) ^ (own));
#define TRY_UNDO_mul(T, all, own) (void)(own);
#define TRY_UNDO_min TRY_UNDO_mul
#define TRY_UNDO_max TRY_UNDO_mul
#define TRY_UNDO_and TRY_UNDO_mul
#define TRY_UNDO_or TRY_UNDO_mul

// Where every work-item of the sub-group takes part:
//   contiguous_scan_<op>: all lanes below are there, in the last sub-group too; without_own_<op> makes it exclusive.
//   scan_first_<op>, reduce_first_<op>: of a whole warp, over the first `count` lanes only, which is right in those.
//   reduce_all_<op>: across the whole warp; or, if it has lanes that do not exist, down to the lowest lane and out from there.
// Where the lanes of `mask` do:
//   scan_<op>: inclusive. In a whole warp as above. Otherwise each lane first looks only at the one before it in its group and, in
//     every round, takes over what that lane has gathered together with whom that lane looks at, which doubles the reach. (Bit 5
//     of `source` marks a lane with no one before it. `group` is a part of `mask`, each lane's own; all of `mask` takes part.)
//   reduce_<op>: over `mask`.
//   cluster_<op>: over the lanes of `mask` within clusters of `size`.
#define SUB_GROUP_SCAN(op, T)                                                                     \
  HELPER T scan_first_##op(T value, uint count) {                                                 \
    _Pragma("unroll") for (uint distance = 1; distance < WARP_SIZE; distance *= 2) {              \
      if (distance < count) {                                                                     \
        T other = exchange(from_below, ALL, value, distance);                                     \
        if (lane() >= distance) value = APPLY_##op(other, value);                                 \
      }                                                                                           \
    }                                                                                             \
    return value;                                                                                 \
  }                                                                                               \
  HELPER T contiguous_scan_##op(T value) { return scan_first_##op(value, WARP_SIZE); }            \
  HELPER T without_own_##op(T inclusive, T value) {                                               \
    TRY_UNDO_##op(T, inclusive, value) T before = exchange(from_below, ALL, inclusive, 1);        \
    return lane() ? before : IDENTITY(op, T);                                                     \
  }                                                                                               \
  HELPER T sparse_scan_##op(uint mask, uint group, T value) {                                     \
    uint before = group & lanes_below();                                                          \
    uint source = before ? highest(before) : WARP_SIZE | lane();                                  \
    uint most = __builtin_popcount(mask);                                                         \
    for (uint reach = 1; reach < most; reach *= 2) {                                              \
      T other = exchange(from_lane, mask, value, source);                                         \
      uint further = exchange_word(from_lane, mask, source, source);                              \
      if (source < WARP_SIZE) {                                                                   \
        value = APPLY_##op(other, value);                                                         \
        source = further;                                                                         \
      }                                                                                           \
    }                                                                                             \
    return value;                                                                                 \
  }                                                                                               \
  HELPER T scan_##op(uint mask, T value) {                                                        \
    return mask == FULL_WARP ? contiguous_scan_##op(value) : sparse_scan_##op(mask, mask, value); \
  }

#define SUB_GROUP_REDUCE(op, T)                                                             \
  HELPER T reduce_warp_##op(T value, uint size) {                                           \
    for (uint distance = 1; distance < size && distance < WARP_SIZE; distance *= 2)         \
      value = APPLY_##op(value, exchange(across, FULL_WARP, value, distance));              \
    return value;                                                                           \
  }                                                                                         \
  HELPER T reduce_first_##op(T value, uint count) {                                         \
    TRY_REDUX(op, T, ALL, value)                                                            \
    return reduce_warp_##op(value, count);                                                  \
  }                                                                                         \
  HELPER T reduce_all_##op(T value) {                                                       \
    TRY_REDUX(op, T, ALL, value)                                                            \
    uint count = members_count();                                                           \
    if (count == WARP_SIZE) return reduce_warp_##op(value, WARP_SIZE);                      \
    _Pragma("unroll") for (uint distance = WARP_SIZE / 2; distance; distance /= 2) {        \
      T other = exchange(from_above, ALL, value, distance);                                 \
      if (lane() + distance < count) value = APPLY_##op(value, other);                      \
    }                                                                                       \
    return exchange(from_lane, ALL, value, 0);                                              \
  }                                                                                         \
  HELPER T cluster_##op(uint mask, T value, uint size) {                                    \
    if (mask == FULL_WARP) return reduce_warp_##op(value, size);                            \
    uint group = mask & cluster(size);                                                      \
    return exchange(from_lane, mask, sparse_scan_##op(mask, group, value), highest(group)); \
  }                                                                                         \
  HELPER T reduce_##op(uint mask, T value) {                                                \
    TRY_REDUX(op, T, mask, value)                                                           \
    return cluster_##op(mask, value, WARP_SIZE);                                            \
  }

#define SUB_GROUP_ARITHMETIC(op, T) SUB_GROUP_SCAN(op, T) SUB_GROUP_REDUCE(op, T)

// What a lane's predecessor in the group has; the identity where there is none.
#define SUB_GROUP_PRECEDING(T)                                                     \
  HELPER T preceding(uint mask, T value, T identity) {                             \
    uint before = mask & lanes_below();                                            \
    T other = exchange(from_lane, mask, value, before ? highest(before) : lane()); \
    return before ? other : identity;                                              \
  }

// F(op, T) for the operations of each type.
#define COMMON_OPERATIONS(F, T) F(add, T) F(min, T) F(max, T)
#define BIT_OPERATIONS(F, T) F(and, T) F(or, T) F(xor, T)
