// SPDX-License-Identifier: Apache-2.0
// Common functions (OpenCL C 6.15.4).
#include "library.h"

// For NaN: max and min are defined by a comparison, unlike fmax and fmin.
#define COMMON(n, T, bits)                                                                         \
  T##n OVERLOAD max(T##n x, T##n y) { return x < y ? y : x; }                                      \
  T##n OVERLOAD min(T##n x, T##n y) { return y < x ? y : x; }                                      \
  T##n OVERLOAD clamp(T##n x, T##n low, T##n high) { return fmin(fmax(x, low), high); }            \
  T##n OVERLOAD mix(T##n x, T##n y, T##n a) { return fma(y - x, a, x); }                           \
  T##n OVERLOAD degrees(T##n x) { return x * (T##n)57.295779513082320876798154814105; }            \
  T##n OVERLOAD radians(T##n x) { return x * (T##n)0.017453292519943295769236907684886; }          \
  T##n OVERLOAD step(T##n edge, T##n x) { return x < edge ? (T##n)0 : (T##n)1; }                   \
  T##n OVERLOAD smoothstep(T##n low, T##n high, T##n x) {                                          \
    T##n t = clamp((x - low) / (high - low), (T##n)0, (T##n)1);                                    \
    return t * t * ((T##n)3 - (T##n)2 * t);                                                        \
  }                                                                                                \
  T##n OVERLOAD sign(T##n x) {                                                                     \
    T##n signed_zero_or_one = __builtin_elementwise_copysign(x == (T##n)0 ? (T##n)0 : (T##n)1, x); \
    return x != x ? (T##n)0 : signed_zero_or_one;                                                  \
  }

#define COMMON_SCALAR_OPERANDS(n, T)                                                     \
  T##n OVERLOAD max(T##n x, T y) { return max(x, (T##n)y); }                             \
  T##n OVERLOAD min(T##n x, T y) { return min(x, (T##n)y); }                             \
  T##n OVERLOAD clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); } \
  T##n OVERLOAD mix(T##n x, T##n y, T a) { return mix(x, y, (T##n)a); }                  \
  T##n OVERLOAD step(T edge, T##n x) { return step((T##n)edge, x); }                     \
  T##n OVERLOAD smoothstep(T low, T high, T##n x) { return smoothstep((T##n)low, (T##n)high, x); }

#define FAMILY(T, S, U, bits, ...) FOR_WIDTHS(COMMON, T, bits) FOR_VECTOR_WIDTHS(COMMON_SCALAR_OPERANDS, T)
FOR_FLOAT_TYPES(FAMILY)
