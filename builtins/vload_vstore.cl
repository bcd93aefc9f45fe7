// SPDX-License-Identifier: Apache-2.0
// vload and vstore (OpenCL C 6.15.7): only the alignment of an element is guaranteed, and a vector of three is three elements.
#include "library.h"

#define LOAD(n, T, space)                                         \
  T##n OVERLOAD vload##n(size_t offset, const space T* p) {       \
    typedef T##n any_address __attribute__((aligned(sizeof(T)))); \
    return *(const space any_address*)(p + offset * n);           \
  }
#define LOAD_3(T, space)                                  \
  T##3 OVERLOAD vload3(size_t offset, const space T* p) { \
    p += offset * 3;                                      \
    return (T##3)(p[0], p[1], p[2]);                      \
  }
#define STORE(n, T, space)                                        \
  void OVERLOAD vstore##n(T##n x, size_t offset, space T* p) {    \
    typedef T##n any_address __attribute__((aligned(sizeof(T)))); \
    *(space any_address*)(p + offset * n) = x;                    \
  }
#define STORE_3(T, space)                                    \
  void OVERLOAD vstore3(T##3 x, size_t offset, space T* p) { \
    p += offset * 3;                                         \
    p[0] = x.s0;                                             \
    p[1] = x.s1;                                             \
    p[2] = x.s2;                                             \
  }

#define LOADS(T, space) \
  LOAD(2, T, space) LOAD_3(T, space) LOAD(4, T, space) LOAD(8, T, space) LOAD(16, T, space)
#define STORES(T, space) \
  STORE(2, T, space) STORE_3(T, space) STORE(4, T, space) STORE(8, T, space) STORE(16, T, space)

// In this target's mangled names and code, the private address space is the generic one.
#define ALL_SPACES(T, ...) \
  LOADS(T, __generic)      \
  LOADS(T, __global)       \
  LOADS(T, __local) LOADS(T, __constant) STORES(T, __generic) STORES(T, __global) STORES(T, __local)
FOR_INTEGER_TYPES(ALL_SPACES)
FOR_FLOAT_TYPES(ALL_SPACES)
