// SPDX-License-Identifier: Apache-2.0
// Math functions with the accuracy of -cl-unsafe-math-optimizations (OpenCL C 7.4), which compiler/passes/optimize/relax_math_functions.h
// calls instead of the precise ones; those that are the native_ functions are not repeated. As CUDA's with --use_fast_math.
#include "pointer_results.h"

// Derived, exp2(y log2(|x|)); the sign is that of x to an odd power. Undefined for a negative x and another y than an integer of at most
// 2^24.
float OVERLOAD __clcuda_relaxed_pow(float x, float y) {
  const float power = native_powr(fabs(x), y);
  return (int)y & 1 ? copysign(power, x) : power;
}
float OVERLOAD __clcuda_relaxed_pown(float x, int n) {
  const float power = native_powr(fabs(x), (float)n);
  return n & 1 ? copysign(power, x) : power;
}

// Within 2^-11 of the result, which are at most 8192 ulp.
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
VECTORS_1(float, __clcuda_relaxed_tanh, float)
IN_ALL_SPACES(1, __clcuda_relaxed_sincos, float, float)
