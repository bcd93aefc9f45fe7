// SPDX-License-Identifier: Apache-2.0
// native_ functions (OpenCL C 6.15.2): the approximate instructions, as CUDA's intrinsics use them; and half_ functions (8192 ulp),
// which use them where those are accurate enough over the whole range.
#include "library.h"

#define LOG2_E 0x1.715476p+0f
#define LOG2_10 0x1.a934fp+1f
#define LN_2 0x1.62e43p-1f
#define LOG10_2 0x1.344136p-2f

float OVERLOAD native_cos(float x) { return __nvvm_cos_approx_f(x); }
float OVERLOAD native_sin(float x) { return __nvvm_sin_approx_f(x); }
float OVERLOAD native_tan(float x) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}
float OVERLOAD native_exp(float x) { return __nvvm_ex2_approx_f(x * LOG2_E); }
float OVERLOAD native_exp2(float x) { return __nvvm_ex2_approx_f(x); }
float OVERLOAD native_exp10(float x) { return __nvvm_ex2_approx_f(x * LOG2_10); }
float OVERLOAD native_log(float x) { return __nvvm_lg2_approx_f(x) * LN_2; }
float OVERLOAD native_log2(float x) { return __nvvm_lg2_approx_f(x); }
float OVERLOAD native_log10(float x) { return __nvvm_lg2_approx_f(x) * LOG10_2; }
float OVERLOAD native_powr(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
float OVERLOAD native_sqrt(float x) { return __nvvm_sqrt_approx_f(x); }
float OVERLOAD native_rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
float OVERLOAD native_divide(float x, float y) { return __nvvm_div_approx_f(x, y); }
float OVERLOAD native_recip(float x) { return __nvvm_div_approx_f(1.0f, x); }

// lg2.approx loses its relative accuracy near 1, and sin.approx its absolute one away from 0.
float OVERLOAD half_cos(float x) { return cos(x); }
float OVERLOAD half_sin(float x) { return sin(x); }
float OVERLOAD half_tan(float x) { return tan(x); }
float OVERLOAD half_exp(float x) { return native_exp(x); }
float OVERLOAD half_exp2(float x) { return native_exp2(x); }
float OVERLOAD half_exp10(float x) { return native_exp10(x); }
float OVERLOAD half_log(float x) { return log(x); }
float OVERLOAD half_log2(float x) { return log2(x); }
float OVERLOAD half_log10(float x) { return log10(x); }
float OVERLOAD half_powr(float x, float y) { return powr(x, y); }
float OVERLOAD half_sqrt(float x) { return native_sqrt(x); }
float OVERLOAD half_rsqrt(float x) { return native_rsqrt(x); }
float OVERLOAD half_recip(float x) {
  float r;
  __asm__("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
float OVERLOAD half_divide(float x, float y) {
  float r;
  __asm__("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
  return r;
}

#define BOTH_1(name) VECTORS_1(float, native_##name, float) VECTORS_1(float, half_##name, float)
#define BOTH_2(name) VECTORS_2(float, native_##name, float, float) VECTORS_2(float, half_##name, float, float)
BOTH_1(cos)
BOTH_1(sin)
BOTH_1(tan)
BOTH_1(exp)
BOTH_1(exp2)
BOTH_1(exp10)
BOTH_1(log)
BOTH_1(log2)
BOTH_1(log10)
BOTH_1(sqrt)
BOTH_1(rsqrt)
BOTH_1(recip)
BOTH_2(powr)
BOTH_2(divide)
