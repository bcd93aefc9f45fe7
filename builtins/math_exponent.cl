// SPDX-License-Identifier: Apache-2.0
// Math functions (OpenCL C 6.15.2) on the parts of a number: ilogb, ldexp, nextafter.
#include "library.h"

// Infinities and NaN have the same answer.
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

float __nv_nextafterf(float, float);
double __nv_nextafter(double, double);
float OVERLOAD nextafter(float x, float y) { return __nv_nextafterf(x, y); }
double OVERLOAD nextafter(double x, double y) { return __nv_nextafter(x, y); }
// Half's bits, less their sign, count its numbers in order.
half OVERLOAD nextafter(half x, half y) {
  if (isnan(x) || isnan(y)) return x + y;
  if (x == y) return y;
  if (x == 0) return copysign(as_half((ushort)1), y);
  short away = (x < y) == (x > 0) ? 1 : -1;
  return as_half((short)(as_short(x) + away));
}

#define SAME_EXPONENT(n, T) \
  T##n OVERLOAD ldexp(T##n x, int exponent) { return ldexp(x, (int##n)exponent); }
#define FAMILY(T, ...)          \
  VECTORS_1(int, ilogb, T)      \
  VECTORS_2(T, ldexp, T, int)   \
  VECTORS_2(T, nextafter, T, T) \
  FOR_VECTOR_WIDTHS(SAME_EXPONENT, T)
FOR_FLOAT_TYPES(FAMILY)
