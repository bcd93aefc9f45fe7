// SPDX-License-Identifier: Apache-2.0
// Math functions (OpenCL C 6.15.2) on the parts of a number: ilogb, ldexp, nextafter.
#include "library.h"

int __nv_ilogbf(float);
int __nv_ilogb(double);
int OVERLOAD ilogb(float x) { return isnan(x) ? FP_ILOGBNAN : x == 0 ? FP_ILOGB0 : __nv_ilogbf(x); }
int OVERLOAD ilogb(double x) { return isnan(x) ? FP_ILOGBNAN : x == 0 ? FP_ILOGB0 : __nv_ilogb(x); }
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
