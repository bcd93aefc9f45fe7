// SPDX-License-Identifier: Apache-2.0
// Math functions (OpenCL C 6.15.2) that take one or a few instructions, and are exactly rounded.
#include "library.h"

#define BUILTIN_1(T, suffix)                                                     \
  T OVERLOAD ceil(T x) { return __builtin_elementwise_ceil(x); }                 \
  T OVERLOAD floor(T x) { return __builtin_elementwise_floor(x); }               \
  T OVERLOAD trunc(T x) { return __builtin_elementwise_trunc(x); }               \
  T OVERLOAD rint(T x) { return __builtin_elementwise_roundeven(x); }            \
  T OVERLOAD fabs(T x) { return __builtin_elementwise_abs(x); }                  \
  T OVERLOAD copysign(T x, T y) { return __builtin_elementwise_copysign(x, y); } \
  T OVERLOAD fmax(T x, T y) { return __builtin_elementwise_maxnum(x, y); }       \
  T OVERLOAD fmin(T x, T y) { return __builtin_elementwise_minnum(x, y); }       \
  T OVERLOAD fma(T x, T y, T z) { return __builtin_elementwise_fma(x, y, z); }   \
  T OVERLOAD mad(T x, T y, T z) { return __builtin_elementwise_fma(x, y, z); }

#define SQRT(n, T) \
  T##n OVERLOAD sqrt(T##n x) { return __builtin_elementwise_sqrt(x); }

// Halfway cases are rounded away from zero. Adding the greatest number below one half carries exactly if x has to be rounded up.
#define ROUND(T, below_half) \
  T OVERLOAD round(T x) { return trunc(x + __builtin_elementwise_copysign((T)below_half, x)); }

// The operand of larger, or smaller, magnitude; if the magnitudes are equal or one is NaN, fmax and fmin decide.
#define MAGNITUDE(T)                           \
  T OVERLOAD maxmag(T x, T y) {                \
    T a = fabs(x), b = fabs(y);                \
    return a > b ? x : b > a ? y : fmax(x, y); \
  }                                            \
  T OVERLOAD minmag(T x, T y) {                \
    T a = fabs(x), b = fabs(y);                \
    return a < b ? x : b < a ? y : fmin(x, y); \
  }

#define NAN_OF(n, T, U, quiet, mask) \
  T##n OVERLOAD nan(U##n code) { return __builtin_astype((U##n)((code & (U##n)mask) | (U##n)quiet), T##n); }

#define SCALAR_SECOND(n, T)                                    \
  T##n OVERLOAD fmax(T##n x, T y) { return fmax(x, (T##n)y); } \
  T##n OVERLOAD fmin(T##n x, T y) { return fmin(x, (T##n)y); }

#define WIDTH(n, T, below_half) BUILTIN_1(T##n, ) ROUND(T##n, below_half) MAGNITUDE(T##n)
FOR_WIDTHS(WIDTH, half, 0x1.ffcp-2)
FOR_WIDTHS(WIDTH, float, 0x1.fffffep-2f)
FOR_WIDTHS(WIDTH, double, 0x1.fffffffffffffp-2)
FOR_WIDTHS(SQRT, float)
FOR_WIDTHS(SQRT, double)
// No square root of a half is so near the middle between two halves that the approximate instruction would be on the wrong side.
half OVERLOAD sqrt(half x) { return (half)__nvvm_sqrt_approx_ftz_f((float)x); }
VECTORS_1(half, sqrt, half)
FOR_WIDTHS(NAN_OF, half, ushort, 0x7e00, 0x01ff)
FOR_WIDTHS(NAN_OF, float, uint, 0x7fc00000u, 0x003fffffu)
FOR_WIDTHS(NAN_OF, double, ulong, 0x7ff8000000000000UL, 0x0007ffffffffffffUL)
FOR_VECTOR_WIDTHS(SCALAR_SECOND, half)
FOR_VECTOR_WIDTHS(SCALAR_SECOND, float)
FOR_VECTOR_WIDTHS(SCALAR_SECOND, double)
