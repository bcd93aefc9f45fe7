// SPDX-License-Identifier: Apache-2.0
// pow, pown, powr and rootn (OpenCL C 6.15.2, edge cases 7.5.1).
#include "library.h"

#define USUALLY(condition) __builtin_expect(condition, 1)

// The edge cases, in which x is not a positive normal number, or the result may not be one: `mantissa` times the power of two whose
// exponent `scale` has in the position of a float's exponent.
static inline float power_of_any(float x, float y, float exponent, float mantissa, int scale) {
  if (x == 1.0f || y == 0.0f) return 1.0f;
  if (isunordered(x, y)) return x + y;
  if (isinf(y)) return fabs(x) == 1.0f ? 1.0f : (fabs(x) > 1.0f) == (y > 0.0f) ? INFINITY : 0.0f;
  const bool is_whole = trunc(y) == y, is_odd = fabs(fma(-2.0f, trunc(0.5f * y), y)) == 1.0f;
  if (x < 0.0f && !is_whole && !isinf(x)) return NAN;
  // The power of two may be out of range, so it is multiplied in two steps.
  const int half_scale = (scale >> 1) & 0xff800000;
  float power = mantissa * as_float(0x3f800000 + half_scale) * as_float(0x3f800000 + scale - half_scale);
  if (x == 0.0f || isinf(x))
    power = (x == 0.0f) == (y < 0.0f) ? INFINITY : 0.0f;
  else if (fabs(exponent) > 160.0f)
    power = exponent < 0.0f ? 0.0f : INFINITY;
  return is_odd ? copysign(power, x) : power;
}

// exp2(y log2(|x|)), where the logarithm and its product with y have two parts each. |x| is a power of two times m, and log2(m) a series in
// (m - 1)/(m + 1), whose magnitude is less than 0.172.
float OVERLOAD pow(float x, float y) {
  const float magnitude = fabs(x);
  const bool is_small = magnitude < 0x1p-126f;
  const int bits = as_int(is_small ? magnitude * 0x1p24f : magnitude),
            power = (bits - 0x3f3504f3) & 0xff800000;
  const float f = as_float(bits - power) - 1.0f,
              whole = fma((float)power, 0x1p-23f, is_small ? -24.0f : 0.0f);
  const float inverse = __nvvm_rcp_approx_ftz_f(f + 2.0f), s = f * inverse;
  const float rest = fma(-s, f, fma(-2.0f, s, f)) * inverse, t = s * s;
  const float series = fma(fma(fma(0x1.58b426p-2f, t, 0x1.a5cebep-2f), t, 0x1.2776e2p-1f), t, 0x1.ec709ep-1f);
  const float large = fma(s, 0x1.715476p+1f, whole);
  float small = fma(s, 0x1.715476p+1f, whole - large);
  small = fma(fma(rest, t, rest), 0x1.715476p+1f, fma(s, 0x1.4ae0cp-25f, small));
  small = fma(s * t, series, small);
  const float log_x = large + small, log_rest = small - (log_x - large);
  const float exponent = log_x * y, exponent_rest = fma(log_rest, y, fma(log_x, y, -exponent));
  const float rounded = exponent + 0x1.8p23f, d = (exponent - (rounded - 0x1.8p23f)) + exponent_rest;
  float mantissa = fma(fma(fma(0x1.4c0e1ap-13f, d, 0x1.5fc196p-10f), d, 0x1.3b218p-7f), d, 0x1.c6ada8p-5f);
  mantissa = fma(fma(fma(mantissa, d, 0x1.ebfbe6p-3f), d, 0x1.62e432p-1f), d, 1.0f);
  const int scale = as_int(rounded) << 23;
  if (USUALLY(as_uint(x) - 0x00800000u < 0x7f000000u && fabs(exponent) < 126.0f))
    return as_float(as_int(mantissa) + scale);
  return power_of_any(x, y, exponent, mantissa, scale);
}
double __nv_pow(double, double);
double OVERLOAD pow(double x, double y) { return __nv_pow(x, y); }
half OVERLOAD pow(half x, half y) { return (half)pow((float)x, (float)y); }

// The result, with the sign of x if n is odd.
#define SIGNED(result, x, n) ((n) & 1 ? copysign(result, x) : result)

// pow(x, y + rest) computed from pow(x, y), for a `rest` that changes the result by a small factor only.
#define CORRECTED(result, x, rest) \
  (isfinite(result) && (rest) != 0 && (result) != 0 ? fma(result, (rest) * log(x), result) : result)

// Above 2^24 not every int is a float. The difference matters if x is close to 1.
float OVERLOAD pown(float x, int n) {
  float magnitude = fabs(x), y = (float)n;
  float result = pow(magnitude, y);
  if (abs(n) > 1 << 24) {
    float rest = (float)(int)((long)n - (long)y);
    result = CORRECTED(result, magnitude, rest);
  }
  return SIGNED(result, x, n);
}
double OVERLOAD pown(double x, int n) {
  double result = pow(fabs(x), (double)n);
  return SIGNED(result, x, n);
}
half OVERLOAD pown(half x, int n) { return (half)pown((float)x, n); }

// 1/n is rounded, so the result is corrected for the difference. An even root of a negative number, and a root of degree 0, are NaN.
#define ROOTN(T)                                                                    \
  T OVERLOAD rootn(T x, int n) {                                                    \
    if (n == 0 || (!(n & 1) && x < (T)0)) return nan_of_##T();                      \
    T magnitude = fabs(x), degree = (T)n, exponent = (T)1 / degree;                 \
    T result = pow(magnitude, exponent);                                            \
    result = CORRECTED(result, magnitude, fma(-degree, exponent, (T)1) * exponent); \
    return SIGNED(result, x, n);                                                    \
  }
static inline float nan_of_float(void) { return nan(0u); }
static inline double nan_of_double(void) { return nan(0ul); }
ROOTN(float)
ROOTN(double)
half OVERLOAD rootn(half x, int n) { return (half)rootn((float)x, n); }

// Defined as exp(y log x): NaN for negative x, 0 to the 0, infinity to the 0 and 1 to infinity.
#define POWR(T)                                                                                    \
  T OVERLOAD powr(T x, T y) {                                                                      \
    bool undefined = x < (T)0 || isnan(x) || isnan(y) || (y == (T)0 && (x == (T)0 || isinf(x))) || \
                     (x == (T)1 && isinf(y));                                                      \
    return undefined ? nan_of_##T() : pow(fabs(x), y);                                             \
  }
POWR(float)
POWR(double)
half OVERLOAD powr(half x, half y) { return (half)powr((float)x, (float)y); }

#define FAMILY(T, ...)        \
  VECTORS_2(T, pow, T, T)     \
  VECTORS_2(T, pown, T, int)  \
  VECTORS_2(T, rootn, T, int) \
  VECTORS_2(T, powr, T, T)
FOR_FLOAT_TYPES(FAMILY)
