// SPDX-License-Identifier: Apache-2.0
// Atomic read-modify-write functions of OpenCL C 2.0 and later (6.15.12.7). They are PTX, because LLVM's atomicrmw drops order and
// scope on this target.
#include "memory_order.h"

// The three forms of a function. T is the type in memory, X the operand's.
#define FORMS(space, T, X, name)                                                               \
  T OVERLOAD atomic_##name##_explicit(volatile space atomic_##T* p, X x, memory_order order,   \
                                      memory_scope scope) {                                    \
    return rmw_##name(p, (T)x, order, scope);                                                  \
  }                                                                                            \
  T OVERLOAD atomic_##name##_explicit(volatile space atomic_##T* p, X x, memory_order order) { \
    return rmw_##name(p, (T)x, order, memory_scope_device);                                    \
  }                                                                                            \
  T OVERLOAD atomic_##name(volatile space atomic_##T* p, X x) {                                \
    return rmw_##name(p, (T)x, memory_order_seq_cst, memory_scope_device);                     \
  }

// `value` is what PTX is given for the operand x, r the constraint of a register of type T.
#define FETCH(space, T, name, operation, r, value)                                                           \
  static inline T OVERLOAD rmw_##name(volatile space void* p, T x, memory_order order, memory_scope scope) { \
    IN_KNOWN_SPACE_##space(rmw_##name, x, order, scope) T old;                                               \
    BY_ORDER_AND_SCOPE(order, SCOPE_IN_##space(scope), ATOM, PTX_##space, operation, r, value)               \
    return old;                                                                                              \
  }                                                                                                          \
  FORMS(space, T, T, name)
#define ATOM(order, scope, space, operation, r, value)                          \
  __asm__ volatile("atom." order "." scope space "." operation " %0, [%1], %2;" \
                   : "=" r(old)                                                 \
                   : "l"((ulong)p), r(value)                                    \
                   : "memory")

#define EXCHANGE(space, T, bits, r) FETCH(space, T, exchange, "exch.b" bits, r, x)
FOR_SPACES(EXCHANGE, int, "32", "r")
FOR_SPACES(EXCHANGE, uint, "32", "r")
FOR_SPACES(EXCHANGE, float, "32", "f")
FOR_SPACES(EXCHANGE, long, "64", "l")
FOR_SPACES(EXCHANGE, ulong, "64", "l")
FOR_SPACES(EXCHANGE, double, "64", "d")

#define INTEGER(space, T, sign, bits, r)                  \
  FETCH(space, T, fetch_add, "add.u" bits, r, x)          \
  FETCH(space, T, fetch_sub, "add.u" bits, r, (T)(0 - x)) \
  FETCH(space, T, fetch_and, "and.b" bits, r, x)          \
  FETCH(space, T, fetch_or, "or.b" bits, r, x)            \
  FETCH(space, T, fetch_xor, "xor.b" bits, r, x)          \
  FETCH(space, T, fetch_min, "min." sign bits, r, x)      \
  FETCH(space, T, fetch_max, "max." sign bits, r, x)
FOR_SPACES(INTEGER, int, "s", "32", "r")
FOR_SPACES(INTEGER, uint, "u", "32", "r")
FOR_SPACES(INTEGER, long, "s", "64", "l")
FOR_SPACES(INTEGER, ulong, "u", "64", "l")

#define FLOATING(space, T, bits, r)              \
  FETCH(space, T, fetch_add, "add.f" bits, r, x) \
  FETCH(space, T, fetch_sub, "add.f" bits, r, -x)
FOR_SPACES(FLOATING, float, "32", "f")
FOR_SPACES(FLOATING, double, "64", "d")

// Pointer-sized objects take differences as operands, and Clang also declares the operand of the other sign.
#define POINTER_SIZED(space, T, X)                                                         \
  FORMS(space, T, X, fetch_add)                                                            \
  FORMS(space, T, X, fetch_sub)                                                            \
  FORMS(space, T, X, fetch_and) FORMS(space, T, X, fetch_or) FORMS(space, T, X, fetch_xor) \
      FORMS(space, T, X, fetch_min) FORMS(space, T, X, fetch_max)
FOR_SPACES(POINTER_SIZED, ulong, long)
FOR_SPACES(POINTER_SIZED, long, ulong)

#define FLAG(space, ...)                                                                               \
  bool OVERLOAD atomic_flag_test_and_set_explicit(volatile space atomic_flag* p, memory_order order,   \
                                                  memory_scope scope) {                                \
    return rmw_exchange(p, 1, order, scope);                                                           \
  }                                                                                                    \
  bool OVERLOAD atomic_flag_test_and_set_explicit(volatile space atomic_flag* p, memory_order order) { \
    return rmw_exchange(p, 1, order, memory_scope_device);                                             \
  }                                                                                                    \
  bool OVERLOAD atomic_flag_test_and_set(volatile space atomic_flag* p) {                              \
    return rmw_exchange(p, 1, memory_order_seq_cst, memory_scope_device);                              \
  }
FOR_SPACES(FLAG)
