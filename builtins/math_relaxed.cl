// SPDX-License-Identifier: Apache-2.0
// Math functions with the accuracy of -cl-unsafe-math-optimizations (OpenCL C 7.4), which compiler/passes/optimize/relax_math_functions.h
// calls instead of the precise ones; functions that are the same as native_ ones are not repeated. CUDA's do the same with --use_fast_math.
#include "pointer_results.h"

// Derived: exp2(y log2(|x|)), with the sign of x if the exponent is odd. Undefined for a negative x unless y is an integer of at most 2^24.
float OVERLOAD __clcuda_relaxed_pow(float x, float y) {
  const float power = native_powr(fabs(x), y);
  return (int)y & 1 ? copysign(power, x) : power;
}
float OVERLOAD __clcuda_relaxed_pown(float x, int n) {
  const float power = native_powr(fabs(x), (float)n);
  return n & 1 ? copysign(power, x) : power;
}

// native_log, which is log2(x) ln 2, has an error of up to 3.3 ulp where the result has a larger mantissa than log2(x): below 1/2, for
// example. The logarithm of the mantissa, in [2/3, 4/3), has an absolute error of at most 2^-22.6.
float OVERLOAD __clcuda_relaxed_log(float x) {
  const uint bits = as_uint(x);
  const bool normal = bits - 0x00800000 < 0x7f000000;  // and positive
  const uint exponent = normal ? (bits - as_uint(0x1.555556p-1f)) & 0xff800000 : 0;
  const float mantissa = as_float(bits - exponent);
  return fma((float)(int)exponent * 0x1p-23f, M_LN2_F, native_log2(mantissa) * M_LN2_F);
}

// The error is at most 2^-11 of the result, which is at most 8192 ulp.
float OVERLOAD __clcuda_relaxed_tanh(float x) {
  float result;
  __asm__("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

static inline float OVERLOAD __clcuda_relaxed_sincos_parts(float x, __private float* cosine) {
  *cosine = native_cos(x);
  return native_sin(x);
}

VECTORS_2(float, __clcuda_relaxed_pow, float, float)
VECTORS_2(float, __clcuda_relaxed_pown, float, int)
VECTORS_1(float, __clcuda_relaxed_log, float)
VECTORS_1(float, __clcuda_relaxed_tanh, float)
IN_ALL_SPACES(1, __clcuda_relaxed_sincos, float, float)
