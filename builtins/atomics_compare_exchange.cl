// SPDX-License-Identifier: Apache-2.0
// atomic_compare_exchange_strong and _weak (OpenCL C 6.15.12.7.5), which are the same on this hardware.
#include "memory_order.h"

// The instruction has a single order, which has to cover success and failure. (A failure order is no release, and is stronger than success
// only if it is an acquire with a releasing success, which needs both.)
static inline DECIDED memory_order stronger(memory_order success, memory_order failure) {
  if (success == memory_order_seq_cst || failure == memory_order_seq_cst) return memory_order_seq_cst;
  if (failure != memory_order_acquire) return success;
  if (success == memory_order_relaxed) return memory_order_acquire;
  return success == memory_order_release ? memory_order_acq_rel : success;
}

// Bits are compared, also of float and double.
#define CAS(order, scope, space, bits, r)                                           \
  __asm__ volatile("atom." order "." scope space ".cas.b" bits " %0, [%1], %2, %3;" \
                   : "=" r(old)                                                     \
                   : "l"((ulong)p), r(expected), r(desired)                         \
                   : "memory")
#define COMPARE_EXCHANGE(space, T, U, bits, r)                                                         \
  static inline T OVERLOAD compare_exchange(volatile space void* p, T expected, T desired,             \
                                            memory_order success, memory_order failure,                \
                                            memory_scope scope) {                                      \
    IN_KNOWN_SPACE_##space(compare_exchange, expected, desired, success, failure, scope) T old;        \
    BY_ORDER_AND_SCOPE(stronger(success, failure), SCOPE_IN_##space(scope), CAS, PTX_##space, bits, r) \
    return old;                                                                                        \
  }                                                                                                    \
  STRENGTH(space, T, U, strong) STRENGTH(space, T, U, weak)
#define STRENGTH(space, T, U, strength)   \
  FORMS(space, __generic, T, U, strength) \
  FORMS(space, __global, T, U, strength) FORMS(space, __local, T, U, strength)
#define FORMS(space, other, T, U, strength)                                                                 \
  bool OVERLOAD atomic_compare_exchange_##strength##_explicit(                                              \
      volatile space atomic_##T* p, other T* expected, T desired, memory_order success,                     \
      memory_order failure, memory_scope scope) {                                                           \
    T before = *expected;                                                                                   \
    T old = compare_exchange(p, before, desired, success, failure, scope);                                  \
    if (__builtin_astype(old, U) == __builtin_astype(before, U)) return true;                               \
    *expected = old;                                                                                        \
    return false;                                                                                           \
  }                                                                                                         \
  bool OVERLOAD atomic_compare_exchange_##strength##_explicit(volatile space atomic_##T* p,                 \
                                                              other T* expected, T desired,                 \
                                                              memory_order success, memory_order failure) { \
    return atomic_compare_exchange_##strength##_explicit(p, expected, desired, success, failure,            \
                                                         memory_scope_device);                              \
  }                                                                                                         \
  bool OVERLOAD atomic_compare_exchange_##strength(volatile space atomic_##T* p, other T* expected,         \
                                                   T desired) {                                             \
    return atomic_compare_exchange_##strength##_explicit(p, expected, desired, memory_order_seq_cst,        \
                                                         memory_order_seq_cst, memory_scope_device);        \
  }
FOR_SPACES(COMPARE_EXCHANGE, int, uint, "32", "r")
FOR_SPACES(COMPARE_EXCHANGE, uint, uint, "32", "r")
FOR_SPACES(COMPARE_EXCHANGE, float, uint, "32", "f")
FOR_SPACES(COMPARE_EXCHANGE, long, ulong, "64", "l")
FOR_SPACES(COMPARE_EXCHANGE, ulong, ulong, "64", "l")
FOR_SPACES(COMPARE_EXCHANGE, double, ulong, "64", "d")
