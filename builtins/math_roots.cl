// SPDX-License-Identifier: Apache-2.0
// rsqrt and hypot (OpenCL C 6.15.2). For cases that the root instructions do not handle, ptxas would call functions, and registers are
// scarce around calls. Here these cases are handled inline.
#include "library.h"

#define USUALLY(condition) __builtin_expect(condition, 1)

// For a positive normal number. The approximation has 20 bits; a third-order step makes it accurate to all bits.
static inline double inverse_root(double x) {
  double near;
  __asm__("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(near) : "d"(x));
  const double rest = fma(-(near * near), x, 1.0);
  return fma(fma(rest, 0.375, 0.5), near * rest, near);
}

float __nv_rsqrtf(float);
float OVERLOAD rsqrt(float x) { return __nv_rsqrtf(x); }

double OVERLOAD rsqrt(double x) {
  if (USUALLY(as_uint2(x).y - 0x00100000u < 0x7fe00000u)) return inverse_root(x);
  if (x == 0.0) return copysign((double)INFINITY, x);
  if (x == INFINITY) return 0.0;
  return inverse_root(x * 0x1p54) * 0x1p27;
}

// The approximation's error is far below half's last place; a half is never subnormal as a float.
half OVERLOAD rsqrt(half x) { return (half)__nvvm_rsqrt_approx_ftz_f((float)x); }

// hypot is the square root of the sum of squares, scaled so that no step overflows, and corrected by a step of Newton's method, whose
// remainder is exact. If the result is not finite, special cases follow: zeros, infinities, NaN, and the end of the range, where infinity
// is wrong if the exact result rounds to a number (7.4).

// The end of the range: the square of the number half an ulp above the greatest float.
#define FLOAT_END_SQUARE 0x1.fffffe0000008p+255

float OVERLOAD hypot(float x, float y) {
  const uint a = as_uint(fabs(x)), b = as_uint(fabs(y)), greater = max(a, b), less = min(a, b);
  const uint exponent = greater & 0xfe000000u;  // a multiple of 4: the greater number is scaled to 0.5 to 8
  const float scale = as_float(0x7e800000u - exponent), p = as_float(greater) * scale,
              q = as_float(less) * scale;
  const float square = fma(p, p, q * q), inverse = __nvvm_rsqrt_approx_ftz_f(square), root = square * inverse;
  const float result = fma(fma(-root, root, square), 0.5f * inverse, root) * as_float(exponent | 0x00800000u);
  if (USUALLY(result < INFINITY)) return result;
  if (square == 0.0f) return 0.0f;
  if (isinf(x) || isinf(y)) return INFINITY;
  return fma((double)x, (double)x, (double)y * (double)y) < FLOAT_END_SQUARE ? FLT_MAX : result;
}

double OVERLOAD hypot(double x, double y) {
  const ulong a = as_ulong(fabs(x)), b = as_ulong(fabs(y)), greater = max(a, b), less = min(a, b);
  const ulong exponent = greater & 0xffc0000000000000UL;
  const double scale = as_double(0x7fd0000000000000UL - exponent);
  const double p = as_double(greater) * scale, q = as_double(less) * scale, square = fma(p, p, q * q);
  const double inverse = inverse_root(square), root = square * inverse;
  const double result =
      fma(fma(-root, root, square), 0.5 * inverse, root) * as_double(exponent | 0x0010000000000000UL);
  if (USUALLY(as_uint2(result).y < 0x7ff00000u)) return result;
  if (greater == 0) return 0.0;
  if (isinf(x) || isinf(y)) return INFINITY;
  // Whether the squares, computed with all digits, sum up to less than (1 - 2^-54)^2 times 2^2048.
  const double u = as_double(greater) * 0x1p-1024, v = as_double(less) * 0x1p-1024, uu = u * u, vv = v * v;
  return ((uu - 1.0) + vv) + (fma(u, u, -uu) + fma(v, v, -vv)) < -0x1p-53 ? DBL_MAX : result;
}

half OVERLOAD hypot(half x, half y) {
  const float square = fma((float)x, (float)x, (float)y * (float)y);
  return isinf(x) || isinf(y) ? (half)INFINITY : (half)__nvvm_sqrt_approx_ftz_f(square);
}

VECTORS_1(float, rsqrt, float)
VECTORS_1(double, rsqrt, double)
VECTORS_1(half, rsqrt, half)
VECTORS_2(float, hypot, float, float)
VECTORS_2(double, hypot, double, double)
VECTORS_2(half, hypot, half, half)
