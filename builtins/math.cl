// SPDX-License-Identifier: Apache-2.0
// Math functions (OpenCL C 6.15.2) that are libdevice's unchanged: their errors, by CUDA's table, are within OpenCL's bounds (7.4), and
// their special cases are C99's. Half is computed in float: rounding the result adds half an ulp.
#include "library.h"

#define LIBDEVICE_1_IN_HALF(name, device, in_half)             \
  float __nv_##device##f(float);                               \
  double __nv_##device(double);                                \
  float OVERLOAD name(float x) { return __nv_##device##f(x); } \
  double OVERLOAD name(double x) { return __nv_##device(x); }  \
  half OVERLOAD name(half x) { return (half)(in_half); }       \
  VECTORS_1(float, name, float)                                \
  VECTORS_1(double, name, double)                              \
  VECTORS_1(half, name, half)
#define LIBDEVICE_1(name, device) LIBDEVICE_1_IN_HALF(name, device, __nv_##device##f((float)x))

#define LIBDEVICE_2(name, device)                                                           \
  float __nv_##device##f(float, float);                                                     \
  double __nv_##device(double, double);                                                     \
  float OVERLOAD name(float x, float y) { return __nv_##device##f(x, y); }                  \
  double OVERLOAD name(double x, double y) { return __nv_##device(x, y); }                  \
  half OVERLOAD name(half x, half y) { return (half)__nv_##device##f((float)x, (float)y); } \
  VECTORS_2(float, name, float, float)                                                      \
  VECTORS_2(double, name, double, double)                                                   \
  VECTORS_2(half, name, half, half)

LIBDEVICE_1(acos, acos)
LIBDEVICE_1(acosh, acosh)
LIBDEVICE_1(asin, asin)
LIBDEVICE_1(asinh, asinh)
LIBDEVICE_1(atan, atan)
LIBDEVICE_1(atanh, atanh)
LIBDEVICE_1(cbrt, cbrt)
LIBDEVICE_1(cosh, cosh)
LIBDEVICE_1(cospi, cospi)
LIBDEVICE_1(erf, erf)
LIBDEVICE_1(erfc, erfc)
LIBDEVICE_1(exp, exp)
LIBDEVICE_1(exp10, exp10)
LIBDEVICE_1(expm1, expm1)
LIBDEVICE_1(lgamma, lgamma)
LIBDEVICE_1(log1p, log1p)
LIBDEVICE_1(logb, logb)
LIBDEVICE_1(sinpi, sinpi)
LIBDEVICE_1(tanh, tanh)
LIBDEVICE_1(tgamma, tgamma)

// Approximate instructions whose error is far below half's last place: lg2 is within 0x1p-22 of the result near 1, where a half's last
// place is at least 0x1p-21. A half is never subnormal as a float.
LIBDEVICE_1_IN_HALF(exp2, exp2, __nvvm_ex2_approx_ftz_f((float)x))
LIBDEVICE_1_IN_HALF(log, log, __nvvm_lg2_approx_ftz_f((float)x) * 0x1.62e43p-1f)
LIBDEVICE_1_IN_HALF(log2, log2, __nvvm_lg2_approx_ftz_f((float)x))
LIBDEVICE_1_IN_HALF(log10, log10, __nvvm_lg2_approx_ftz_f((float)x) * 0x1.344136p-2f)

LIBDEVICE_2(atan2, atan2)
LIBDEVICE_2(fdim, fdim)
LIBDEVICE_2(fmod, fmod)
LIBDEVICE_2(remainder, remainder)

// (e^|x| - e^-|x|) / 2; near zero a polynomial. e^|x| is a power of two times ex2.approx of the remainder. Adding `to_round` rounds the
// exponent, and also divides the power by four.
double __nv_sinh(double);
float OVERLOAD sinh(float x) {
  const float square = x * x, magnitude = fabs(x), to_round = 12583037.0f;
  const float series =
      fma(fma(fma(0x1.75a6f4p-19f, square, 0x1.a02156p-13f), square, 0x1.1110e2p-7f), square, 0x1.555556p-3f);
  const float rounded = fmin(fma(magnitude, 0x1.715476p+0f, to_round), to_round + 130.0f),
              power = rounded - to_round;
  const float rest = fma(power, 0x1.05c61p-29f, fma(power, -0x1.62e43p-1f, magnitude));
  const float quarter = __nvvm_ex2_approx_ftz_f(rest * 0x1.715476p+0f) * as_float(as_int(rounded) << 23);
  const float result = fma(2.0f, quarter, -0.125f * __nvvm_rcp_approx_ftz_f(quarter));
  return magnitude < 1.0f ? fma(square * series, x, x) : copysign(result, x);
}
double OVERLOAD sinh(double x) { return __nv_sinh(x); }
half OVERLOAD sinh(half x) { return (half)sinh((float)x); }
VECTORS_1(float, sinh, float)
VECTORS_1(double, sinh, double)
VECTORS_1(half, sinh, half)
