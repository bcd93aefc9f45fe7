// SPDX-License-Identifier: Apache-2.0
#pragma once

// Atomic read-modify-write functions as one PTX instruction, and the forms in which OpenCL C has each of
// them.
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

// One instruction that leaves what was in memory in the variable old, of type T in memory.
#define READ_MODIFY_WRITE(space, operation, r, value) \
  BY_ORDER_AND_SCOPE(order, SCOPE_IN_##space(scope), ATOM, PTX_##space, operation, r, value)

// `value` is what PTX is given for the operand x, r the constraint of a register of type T.
#define FETCH(space, T, name, operation, r, value)                                                           \
  static inline T OVERLOAD rmw_##name(volatile space void* p, T x, memory_order order, memory_scope scope) { \
    IN_KNOWN_SPACE_##space(rmw_##name, x, order, scope) T old;                                               \
    READ_MODIFY_WRITE(space, operation, r, value)                                                            \
    return old;                                                                                              \
  }                                                                                                          \
  FORMS(space, T, T, name)
#define ATOM(order, scope, space, operation, r, value)                          \
  __asm__ volatile("atom." order "." scope space "." operation " %0, [%1], %2;" \
                   : "=" r(old)                                                 \
                   : "l"((ulong)p), r(value)                                    \
                   : "memory")
