// SPDX-License-Identifier: Apache-2.0
// Atomic read-modify-write functions of OpenCL C 2.0 and later (6.15.12.7). They are inline PTX, because on this target LLVM's atomicrmw
// loses order and scope.
#include "atomic_forms.h"

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

// Pointer-sized objects take differences as operands. Clang declares the functions for operands of either signedness.
#define POINTER_SIZED(space, T, X) \
  FORMS(space, T, X, fetch_add)    \
  FORMS(space, T, X, fetch_sub)    \
  FORMS(space, T, X, fetch_and)    \
  FORMS(space, T, X, fetch_or)     \
  FORMS(space, T, X, fetch_xor)    \
  FORMS(space, T, X, fetch_min)    \
  FORMS(space, T, X, fetch_max)
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
