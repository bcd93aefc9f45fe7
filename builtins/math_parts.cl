// SPDX-License-Identifier: Apache-2.0
// Math functions (OpenCL C 6.15.2) with two results: fract, frexp, lgamma_r, modf.
#include "pointer_results.h"

#define FRACT(T, below_one)                                       \
  static inline T OVERLOAD fract_parts(T x, __private T* whole) { \
    *whole = floor(x);                                            \
    if (x == (T)0 || isinf(x)) return copysign((T)0, x);          \
    T part = x - *whole;                                          \
    return part > (T)below_one ? (T)below_one : part;             \
  }                                                               \
  static inline T OVERLOAD modf_parts(T x, __private T* whole) {  \
    *whole = trunc(x);                                            \
    return copysign(isinf(x) ? (T)0 : x - *whole, x);             \
  }
FRACT(half, 0x1.ffcp-1)
FRACT(float, 0x1.fffffep-1f)
FRACT(double, 0x1.fffffffffffffp-1)

float __nv_frexpf(float, int*);
double __nv_frexp(double, int*);
static inline float OVERLOAD frexp_parts(float x, __private int* exponent) {
  return __nv_frexpf(x, exponent);
}
static inline double OVERLOAD frexp_parts(double x, __private int* exponent) {
  return __nv_frexp(x, exponent);
}
static inline half OVERLOAD frexp_parts(half x, __private int* exponent) {
  return (half)__nv_frexpf((float)x, exponent);
}

// The gamma function is negative between -1 and 0, -3 and -2, …; at its poles (negative integers) the sign is 0, at 0 that of x.
#define LGAMMA(T)                                                                             \
  static inline T OVERLOAD lgamma_r_parts(T x, __private int* sign) {                         \
    T whole = floor(x);                                                                       \
    bool odd = whole * (T)0.5 != floor(whole * (T)0.5);                                       \
    *sign = x == (T)0 ? (signbit(x) ? -1 : 1) : x > (T)0 ? 1 : x == whole ? 0 : odd ? -1 : 1; \
    return lgamma(x);                                                                         \
  }
LGAMMA(half)
LGAMMA(float)
LGAMMA(double)

#define FAMILY(T, ...)            \
  IN_ALL_SPACES(1, fract, T, T)   \
  IN_ALL_SPACES(1, modf, T, T)    \
  IN_ALL_SPACES(1, frexp, T, int) \
  IN_ALL_SPACES(1, lgamma_r, T, int)
FOR_FLOAT_TYPES(FAMILY)
