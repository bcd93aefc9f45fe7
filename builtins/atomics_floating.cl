// SPDX-License-Identifier: Apache-2.0
// Atomic functions on floating-point numbers (cl_ext_float_atomics): sums, minima and maxima, and exchange of halves.
#include "atomic_forms.h"
#include "chip.h"

#define FETCH_FORMS(space, T)   \
  FORMS(space, T, T, fetch_add) \
  FORMS(space, T, T, fetch_sub) \
  FORMS(space, T, T, fetch_min) \
  FORMS(space, T, T, fetch_max)

// Stores `desired` if memory holds `expected`. Both and the result are bits, of type B.
#define COMPARE_EXCHANGE(order, scope, space, bits, r)                              \
  __asm__ volatile("atom." order "." scope space ".cas.b" bits " %0, [%1], %2, %3;" \
                   : "=" r(found)                                                   \
                   : "l"((ulong)p), r(expected), r(desired)                         \
                   : "memory")
#define SWAP(space, B, bits, r)                                                                    \
  static inline B OVERLOAD swap(volatile space void* p, B expected, B desired, memory_order order, \
                                memory_scope scope) {                                              \
    B found;                                                                                       \
    BY_ORDER_AND_SCOPE(order, SCOPE_IN_##space(scope), COMPARE_EXCHANGE, PTX_##space, bits, r)     \
    return found;                                                                                  \
  }
FOR_SPACES(SWAP, ushort, "16", "h")
FOR_SPACES(SWAP, uint, "32", "r")
FOR_SPACES(SWAP, ulong, "64", "l")

// Replaces the value in memory, which `expression` can name as `old`.
#define REPLACE(space, T, B, expression)                                           \
  B expected, found = *(volatile space B*)p;                                       \
  T old;                                                                           \
  do {                                                                             \
    expected = found;                                                              \
    old = __builtin_astype(expected, T);                                           \
    found = swap(p, expected, __builtin_astype((T)(expression), B), order, scope); \
  } while (found != expected);                                                     \
  return old;

// In global memory the instruction flushes subnormal numbers to zero. With an operand of at least 0x1p-100 that has no effect on the
// result: a subnormal number in memory is less than half a unit in the last place of the sum, and no sum other than zero is subnormal.
static inline bool sum_is_exact(float x) {
  return __builtin_fabsf(x) >= 0x1p-100f || __clcuda_reflect_later("__CUDA_FTZ");
}
#define LOCAL_SUM_IS_EXACT(x) true
#define IS_EXACT___generic sum_is_exact
#define IS_EXACT___global sum_is_exact
#define IS_EXACT___local LOCAL_SUM_IS_EXACT

#define ADD_FLOAT(space, ...)                                                                     \
  static inline float OVERLOAD rmw_fetch_add(volatile space void* p, float x, memory_order order, \
                                             memory_scope scope) {                                \
    IN_KNOWN_SPACE_##space(rmw_fetch_add, x, order, scope) if (IS_EXACT_##space(x)) {             \
      float old;                                                                                  \
      READ_MODIFY_WRITE(space, "add.f32", "f", x)                                                 \
      return old;                                                                                 \
    }                                                                                             \
    REPLACE(space, float, uint, old + x)                                                          \
  }
FOR_SPACES(ADD_FLOAT)

#define ADD_DOUBLE(space, ...)                                                                      \
  static inline double OVERLOAD rmw_fetch_add(volatile space void* p, double x, memory_order order, \
                                              memory_scope scope) {                                 \
    IN_KNOWN_SPACE_##space(rmw_fetch_add, x, order, scope) double old;                              \
    READ_MODIFY_WRITE(space, "add.f64", "d", x)                                                     \
    return old;                                                                                     \
  }
FOR_SPACES(ADD_DOUBLE)

// The instruction always returns the same NaN. IEEE 754 (6.2.3) recommends that of the operand, and programs compare bits.
static inline ushort nan_of_sum(half a, half b) {
  if (isnan(a)) return as_ushort(a) | 0x0200;
  return isnan(b) ? as_ushort(b) | 0x0200 : 0xfe00;
}
#define ADD_HALF(space, ...)                                                                         \
  static inline half OVERLOAD rmw_fetch_add(volatile space void* p, half x, memory_order order,      \
                                            memory_scope scope) {                                    \
    IN_KNOWN_SPACE_##space(rmw_fetch_add, x, order, scope) ushort old;                               \
    READ_MODIFY_WRITE(space, "add.noftz.f16", "h", as_ushort(x))                                     \
    if (isnan(as_half(old) + x)) swap(p, (ushort)0x7fff, nan_of_sum(as_half(old), x), order, scope); \
    return as_half(old);                                                                             \
  }
FOR_SPACES(ADD_HALF)

// Compared as integers, positive numbers are ordered, negative ones in reverse. A NaN in memory has to be replaced by the operand. The
// integer comparison does that, except for NaNs of the sign that `replaced` selects; such a NaN is still in memory afterwards, and the
// operand is swapped in.
#define EXTREME(space, T, S, B, bits, r, name, low, high, replaced)                                         \
  static inline T OVERLOAD rmw_fetch_##name(volatile space void* p, T value, memory_order order,            \
                                            memory_scope scope) {                                           \
    IN_KNOWN_SPACE_##space(rmw_fetch_##name, value, order, scope) B old, x = __builtin_astype(value, B);    \
    if (isnan(value)) {                                                                                     \
      READ_MODIFY_WRITE(space, "or.b" bits, r, (B)0)                                                        \
      return __builtin_astype(old, T);                                                                      \
    }                                                                                                       \
    do {                                                                                                    \
      if ((S)x >= 0) {                                                                                      \
        READ_MODIFY_WRITE(space, low ".s" bits, r, x)                                                       \
      } else {                                                                                              \
        READ_MODIFY_WRITE(space, high ".u" bits, r, x)                                                      \
      }                                                                                                     \
    } while (isnan(__builtin_astype(old, T)) && (S)old replaced 0 && swap(p, old, x, order, scope) != old); \
    return __builtin_astype(old, T);                                                                        \
  }
#define MIN_MAX(space, T, S, B, bits, r)                 \
  EXTREME(space, T, S, B, bits, r, min, "min", "max", <) \
  EXTREME(space, T, S, B, bits, r, max, "max", "min", >=)
FOR_SPACES(MIN_MAX, float, int, uint, "32", "r")
FOR_SPACES(MIN_MAX, double, long, ulong, "64", "l")

#define SMALL(space, name, expression)                                                           \
  static inline half OVERLOAD rmw_##name(volatile space void* p, half x, memory_order order,     \
                                         memory_scope scope) {                                   \
    IN_KNOWN_SPACE_##space(rmw_##name, x, order, scope) REPLACE(space, half, ushort, expression) \
  }
FOR_SPACES(SMALL, fetch_min, isnan(old) || x < old ? x : old)
FOR_SPACES(SMALL, fetch_max, isnan(old) || x > old ? x : old)

#define SUBTRACT(space, T)                                                                \
  static inline T OVERLOAD rmw_fetch_sub(volatile space void* p, T x, memory_order order, \
                                         memory_scope scope) {                            \
    return rmw_fetch_add(p, -x, order, scope);                                            \
  }                                                                                       \
  FETCH_FORMS(space, T)
FOR_SPACES(SUBTRACT, float)
FOR_SPACES(SUBTRACT, double)
FOR_SPACES(SUBTRACT, half)

#define FENCE(order, scope, ...) __asm__ volatile("fence." order "." scope ";" ::: "memory")
static inline DECIDED void fence_before(memory_order order, memory_scope scope) {
  if (order == memory_order_seq_cst) sequential_fence(scope);
  if (order == memory_order_release || order == memory_order_acq_rel) BY_SCOPE(scope, FENCE, "acq_rel")
}
static inline DECIDED void fence_after(memory_order order, memory_scope scope) {
  if (order != memory_order_relaxed && order != memory_order_release) BY_SCOPE(scope, FENCE, "acq_rel")
}

// There is no instruction that exchanges 16 bits, so the word around them is replaced by compare-exchange. If all lanes of a warp try this
// at one address, nearly all attempts fail. So lanes with the same address, which match.sync finds, pass their values on: each gets the
// value of the next lower lane; the lowest gets the value in memory and writes that of the highest. No lane continues before that is done,
// and every lane has its own fences. From activemask to the end, no branch may make lanes diverge, so lanes with nothing to write replace
// the word by itself: after such a branch, bar.warp.sync with that mask was seen to wait forever on an H200. A wide scope costs nothing for
// an access, but it does for a fence.
#define WIDEST_SCOPE___generic "sys"
#define WIDEST_SCOPE___global "sys"
#define WIDEST_SCOPE___local "cta"
#define EXCHANGE_HALF(space, ...)                                                                           \
  static inline uint OVERLOAD swap_word(volatile space void* p, uint expected, uint desired) {              \
    uint found;                                                                                             \
    COMPARE_EXCHANGE("relaxed", WIDEST_SCOPE_##space, PTX_##space, "32", "r");                              \
    return found;                                                                                           \
  }                                                                                                         \
  static inline half OVERLOAD rmw_exchange(volatile space void* p, half value, memory_order order,          \
                                           memory_scope scope) {                                            \
    IN_KNOWN_SPACE_##space(rmw_exchange, value, order, scope) fence_before(order, SCOPE_IN_##space(scope)); \
    const uint active = __nvvm_activemask(), same = __nvvm_match_any_sync_i64(active, (ulong)p);            \
    const uint below = same & __nvvm_read_ptx_sreg_lanemask_lt(), bits = as_ushort(value);                  \
    const uint last = __nvvm_shfl_sync_idx_i32(active, bits, 31 - clz(same), 31);                           \
    const uint handed_on = __nvvm_shfl_sync_idx_i32(active, bits, below ? 31 - clz(below) : 0, 31);         \
    volatile space uint* word = (volatile space uint*)((ulong)p & ~3ul);                                    \
    const uint shift = ((ulong)p & 2) * 8;                                                                  \
    uint found = *word, replaced = 0;                                                                       \
    bool tries = !below;                                                                                    \
    do {                                                                                                    \
      const uint expected = found;                                                                          \
      found =                                                                                               \
          swap_word(word, expected, tries ? (expected & ~(0xffffu << shift)) | last << shift : expected);   \
      replaced = tries ? expected : replaced;                                                               \
      tries &= found != expected;                                                                           \
    } while (__nvvm_vote_any_sync(active, tries));                                                          \
    fence_after(order, SCOPE_IN_##space(scope));                                                            \
    return as_half((ushort)(below ? handed_on : replaced >> shift));                                        \
  }                                                                                                         \
  FORMS(space, half, half, exchange)
FOR_SPACES(EXCHANGE_HALF)
