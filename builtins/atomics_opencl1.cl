// SPDX-License-Identifier: Apache-2.0
// Atomic functions of OpenCL C 1.x: atomic_add and its kin on 32 bits, atom_add of the extensions on 32 and 64 bits. They order
// nothing, which is what LLVM's atomicrmw does on this target.
#include "library.h"

#define FETCH(space, T, prefix, name) \
  T OVERLOAD prefix##_##name(volatile space T* p, T x) { return __atomic_fetch_##name(p, x, __ATOMIC_RELAXED); }

// LLVM gives a compare-exchange the scope of the system.
#define OPERATIONS(prefix, space, ptx_space, T, bits, r)                                                                \
  T OVERLOAD prefix##_xchg(volatile space T* p, T x) { return __atomic_exchange_n(p, x, __ATOMIC_RELAXED); }            \
  T OVERLOAD prefix##_inc(volatile space T* p) { return __atomic_fetch_add(p, (T)1, __ATOMIC_RELAXED); }                \
  T OVERLOAD prefix##_dec(volatile space T* p) { return __atomic_fetch_sub(p, (T)1, __ATOMIC_RELAXED); }                \
  FETCH(space, T, prefix, add) FETCH(space, T, prefix, sub) FETCH(space, T, prefix, and) FETCH(space, T, prefix, or)    \
  FETCH(space, T, prefix, xor) FETCH(space, T, prefix, min) FETCH(space, T, prefix, max)                                \
  T OVERLOAD prefix##_cmpxchg(volatile space T* p, T expected, T desired) {                                             \
    T old;                                                                                                              \
    __asm__ volatile("atom.relaxed.gpu" ptx_space ".cas.b" bits " %0, [%1], %2, %3;"                                    \
                     : "=" r(old) : "l"((ulong)p), r(expected), r(desired) : "memory");                                 \
    return old;                                                                                                         \
  }
#define SPACES(prefix, T, bits, r)                         \
  OPERATIONS(prefix, __generic, "", T, bits, r)            \
  OPERATIONS(prefix, __global, ".global", T, bits, r)      \
  OPERATIONS(prefix, __local, ".shared", T, bits, r)
SPACES(atomic, int, "32", "r")
SPACES(atomic, uint, "32", "r")
SPACES(atom, int, "32", "r")
SPACES(atom, uint, "32", "r")
SPACES(atom, long, "64", "l")
SPACES(atom, ulong, "64", "l")

#define FLOAT_EXCHANGE(space) \
  float OVERLOAD atomic_xchg(volatile space float* p, float x) { \
    return as_float(__atomic_exchange_n((volatile space int*)p, as_int(x), __ATOMIC_RELAXED)); \
  }
FLOAT_EXCHANGE(__generic)
FLOAT_EXCHANGE(__global)
FLOAT_EXCHANGE(__local)
