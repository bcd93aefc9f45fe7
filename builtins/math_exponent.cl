// SPDX-License-Identifier: Apache-2.0
// Math functions (OpenCL C 6.15.2) on the parts of a number: ilogb, ldexp, nextafter.
#include "library.h"

// Infinities and NaN have the same result.
#define ILOGB(T, U, bits, digits, bias)                                                           \
  int OVERLOAD ilogb(T x) {                                                                       \
    const U magnitude = __builtin_astype(fabs(x), U);                                             \
    const int exponent = (int)(magnitude >> digits);                                              \
    if (exponent == 0) return magnitude ? bits - digits - bias - (int)clz(magnitude) : FP_ILOGB0; \
    return exponent == 2 * bias + 1 ? FP_ILOGBNAN : exponent - bias;                              \
  }
ILOGB(float, uint, 32, 23, 127)
ILOGB(double, ulong, 64, 52, 1023)
int OVERLOAD ilogb(half x) { return ilogb((float)x); }

float __nv_ldexpf(float, int);
double __nv_ldexp(double, int);
float OVERLOAD ldexp(float x, int exponent) { return __nv_ldexpf(x, exponent); }
double OVERLOAD ldexp(double x, int exponent) { return __nv_ldexp(x, exponent); }
half OVERLOAD ldexp(half x, int exponent) { return (half)__nv_ldexpf((float)x, exponent); }

// As integers, the bits of numbers of one sign are consecutive in the order of magnitude.
#define NEXTAFTER(T, S)                                                                 \
  T OVERLOAD nextafter(T x, T y) {                                                      \
    const S away = (x < y) == (x > (T)0) ? (S)1 : (S) - 1;                              \
    const T next = x == (T)0 ? copysign(__builtin_astype((S)1, T), y)                   \
                             : __builtin_astype((S)(__builtin_astype(x, S) + away), T); \
    return isunordered(x, y) ? x + y : x == y ? y : next;                               \
  }
NEXTAFTER(half, short)
NEXTAFTER(float, int)
NEXTAFTER(double, long)

#define SAME_EXPONENT(n, T) \
  T##n OVERLOAD ldexp(T##n x, int exponent) { return ldexp(x, (int##n)exponent); }
#define FAMILY(T, ...)          \
  VECTORS_1(int, ilogb, T)      \
  VECTORS_2(T, ldexp, T, int)   \
  VECTORS_2(T, nextafter, T, T) \
  FOR_VECTOR_WIDTHS(SAME_EXPONENT, T)
FOR_FLOAT_TYPES(FAMILY)
