// SPDX-License-Identifier: Apache-2.0
// Atomic functions of OpenCL C 1.x: atomic_add and similar functions on 32 bits, atom_add of the extensions on 32 and 64 bits. Their order
// is relaxed. They compile to LLVM's atomic instructions, to which the build gives device scope.
#include "library.h"

#define FETCH(space, T, prefix, name)                     \
  T OVERLOAD prefix##_##name(volatile space T* p, T x) {  \
    return __atomic_fetch_##name(p, x, __ATOMIC_RELAXED); \
  }

#define OPERATIONS(prefix, space, T)                                                                         \
  T OVERLOAD prefix##_xchg(volatile space T* p, T x) { return __atomic_exchange_n(p, x, __ATOMIC_RELAXED); } \
  T OVERLOAD prefix##_inc(volatile space T* p) { return __atomic_fetch_add(p, (T)1, __ATOMIC_RELAXED); }     \
  T OVERLOAD prefix##_dec(volatile space T* p) { return __atomic_fetch_sub(p, (T)1, __ATOMIC_RELAXED); }     \
  T OVERLOAD prefix##_cmpxchg(volatile space T* p, T expected, T desired) {                                  \
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);           \
    return expected;                                                                                         \
  }                                                                                                          \
  FETCH(space, T, prefix, add)                                                                               \
  FETCH(space, T, prefix, sub)                                                                               \
  FETCH(space, T, prefix, and)                                                                               \
  FETCH(space, T, prefix, or)                                                                                \
  FETCH(space, T, prefix, xor)                                                                               \
  FETCH(space, T, prefix, min)                                                                               \
  FETCH(space, T, prefix, max)
#define SPACES(prefix, T)          \
  OPERATIONS(prefix, __generic, T) \
  OPERATIONS(prefix, __global, T)  \
  OPERATIONS(prefix, __local, T)
SPACES(atomic, int)
SPACES(atomic, uint)
SPACES(atom, int)
SPACES(atom, uint)
SPACES(atom, long)
SPACES(atom, ulong)

#define FLOAT_EXCHANGE(space)                                                                  \
  float OVERLOAD atomic_xchg(volatile space float* p, float x) {                               \
    return as_float(__atomic_exchange_n((volatile space int*)p, as_int(x), __ATOMIC_RELAXED)); \
  }
FLOAT_EXCHANGE(__generic)
FLOAT_EXCHANGE(__global)
FLOAT_EXCHANGE(__local)
