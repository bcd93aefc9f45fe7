// SPDX-License-Identifier: Apache-2.0
// Integer functions (OpenCL C 6.15.3) that are the same expression for every type and width.
#include "library.h"

#define BITS(n, T, U, bits)                                                                                 \
  U##n OVERLOAD abs_diff(T##n x, T##n y) {                                                                  \
    return __builtin_astype((T##n)__builtin_elementwise_max(x, y), U##n) -                                  \
           __builtin_astype((T##n)__builtin_elementwise_min(x, y), U##n);                                   \
  }                                                                                                         \
  T##n OVERLOAD add_sat(T##n x, T##n y) { return __builtin_elementwise_add_sat(x, y); }                     \
  T##n OVERLOAD sub_sat(T##n x, T##n y) { return __builtin_elementwise_sub_sat(x, y); }                     \
  T##n OVERLOAD hadd(T##n x, T##n y) { return (x & y) + ((x ^ y) >> (T)1); }                                \
  T##n OVERLOAD rhadd(T##n x, T##n y) { return (x | y) - ((x ^ y) >> (T)1); }                               \
  T##n OVERLOAD popcount(T##n x) { return __builtin_elementwise_popcount(x); }                              \
  T##n OVERLOAD max(T##n x, T##n y) { return __builtin_elementwise_max(x, y); }                             \
  T##n OVERLOAD min(T##n x, T##n y) { return __builtin_elementwise_min(x, y); }                             \
  T##n OVERLOAD clamp(T##n x, T##n low, T##n high) {                                                        \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);                              \
  }                                                                                                         \
  T##n OVERLOAD clz(T##n x) {                                                                               \
    return __builtin_astype((U##n)__builtin_elementwise_clzg(__builtin_astype(x, U##n), (U##n)bits), T##n); \
  }                                                                                                         \
  T##n OVERLOAD ctz(T##n x) {                                                                               \
    return __builtin_astype((U##n)__builtin_elementwise_ctzg(__builtin_astype(x, U##n), (U##n)bits), T##n); \
  }                                                                                                         \
  T##n OVERLOAD rotate(T##n x, T##n y) {                                                                    \
    U##n bits_of_x = __builtin_astype(x, U##n), by = __builtin_astype(y, U##n) & (U##n)(bits - 1);          \
    U##n rest = ((U##n)0 - by) & (U##n)(bits - 1);                                                          \
    return __builtin_astype((U##n)((bits_of_x << by) | (bits_of_x >> rest)), T##n);                         \
  }

#define SCALAR_SECOND(n, T)                                                                \
  T##n OVERLOAD max(T##n x, T y) { return __builtin_elementwise_max(x, (T##n)y); }         \
  T##n OVERLOAD min(T##n x, T y) { return __builtin_elementwise_min(x, (T##n)y); }         \
  T##n OVERLOAD clamp(T##n x, T low, T high) {                                             \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, (T##n)low), (T##n)high); \
  }

#define ALL_WIDTHS(T, U, bits, ...) FOR_WIDTHS(BITS, T, U, bits) FOR_VECTOR_WIDTHS(SCALAR_SECOND, T)
FOR_INTEGER_TYPES(ALL_WIDTHS)

#define ABS(n, T, U)                                                                               \
  U##n OVERLOAD abs(T##n x) { return __builtin_astype((T##n)__builtin_elementwise_abs(x), U##n); } \
  U##n OVERLOAD abs(U##n x) { return x; }
#define ABS_ALL_WIDTHS(T, U, bits, ...) FOR_WIDTHS(ABS, T, U)
FOR_SIGNED_TYPES(ABS_ALL_WIDTHS)
