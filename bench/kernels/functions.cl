// SPDX-License-Identifier: Apache-2.0
// Mathematical functions, each in a loop without unrolling, which hides nothing of what a call costs: by name, type, the ends of its
// arguments, and what it is in OpenCL C and in CUDA. Whoever reads the table otherwise than as kernels defines FUNCTION first.
#ifndef FUNCTION
#ifdef __CUDACC__
#define CHOICE(opencl, cuda) cuda
#define BITS_float(x) (uint) __float_as_int(x)
#define BITS_double(x) (uint) __double_as_longlong(x)
#else
#define CHOICE(opencl, cuda) opencl
#define BITS_float(x) as_uint(x)
#define BITS_double(x) (uint) as_ulong(x)
#endif
#define CALLS 64
// Results are joined as bits: a sum would be made one instruction with what the function ends with, where the language lets it. For the
// bits of a half, ptxas converts it another way than for anything that is done with halves.
typedef uint joined_float, joined_double;
typedef half joined_half;
#define JOIN_float(joined, result) joined ^ BITS_float(result)
#define JOIN_double(joined, result) joined ^ BITS_double(result)
#define JOIN_half(joined, result) joined < result ? result : joined
#define FUNCTION(name, T, low, high, opencl, cuda)                   \
  KERNEL name(GLOBAL const T* in, GLOBAL T* out) {                   \
    const uint i = GLOBAL_X;                                         \
    const T y = in[i ^ 1u], step = (T)(float)((high - low) / 128.0); \
    T x = in[i], result = y;                                         \
    joined_##T joined = 0;                                           \
    _Pragma("unroll 1") for (int call = 0; call < CALLS; ++call) {   \
      result = (T)CHOICE(opencl, cuda);                              \
      joined = JOIN_##T(joined, result);                             \
      x += step;                                                     \
    }                                                                \
    out[i] = joined == (joined_##T)0x1234 ? (T)0.0f : result;        \
  }
#endif
// clang-format off

FUNCTION(acos_float, float, -0.9, 0.9, acos(x), acosf(x))
FUNCTION(acosh_float, float, 1.5, 9.0, acosh(x), acoshf(x))
FUNCTION(asin_float, float, -0.9, 0.9, asin(x), asinf(x))
FUNCTION(asinh_float, float, -5.0, 5.0, asinh(x), asinhf(x))
FUNCTION(atan_float, float, -5.0, 5.0, atan(x), atanf(x))
FUNCTION(atanh_float, float, -0.9, 0.9, atanh(x), atanhf(x))
FUNCTION(cbrt_float, float, 0.1, 9.0, cbrt(x), cbrtf(x))
FUNCTION(ceil_float, float, -9.0, 9.0, ceil(x), ceilf(x))
FUNCTION(cos_float, float, -3.0, 3.0, cos(x), cosf(x))
FUNCTION(cosh_float, float, -5.0, 5.0, cosh(x), coshf(x))
FUNCTION(cospi_float, float, -2.0, 2.0, cospi(x), cospif(x))
FUNCTION(erf_float, float, -3.0, 3.0, erf(x), erff(x))
FUNCTION(erfc_float, float, -3.0, 3.0, erfc(x), erfcf(x))
FUNCTION(exp_float, float, -5.0, 5.0, exp(x), expf(x))
FUNCTION(exp10_float, float, -5.0, 5.0, exp10(x), exp10f(x))
FUNCTION(exp2_float, float, -5.0, 5.0, exp2(x), exp2f(x))
FUNCTION(expm1_float, float, -5.0, 5.0, expm1(x), expm1f(x))
FUNCTION(fabs_float, float, -5.0, 5.0, fabs(x), fabsf(x))
FUNCTION(floor_float, float, -9.0, 9.0, floor(x), floorf(x))
FUNCTION(lgamma_float, float, 0.5, 9.0, lgamma(x), lgammaf(x))
FUNCTION(log_float, float, 0.1, 9.0, log(x), logf(x))
FUNCTION(log10_float, float, 0.1, 9.0, log10(x), log10f(x))
FUNCTION(log1p_float, float, 0.1, 9.0, log1p(x), log1pf(x))
FUNCTION(log2_float, float, 0.1, 9.0, log2(x), log2f(x))
FUNCTION(logb_float, float, 0.1, 9.0, logb(x), logbf(x))
FUNCTION(rint_float, float, -9.0, 9.0, rint(x), rintf(x))
FUNCTION(round_float, float, -9.0, 9.0, round(x), roundf(x))
FUNCTION(rsqrt_float, float, 0.1, 9.0, rsqrt(x), rsqrtf(x))
FUNCTION(sin_float, float, -3.0, 3.0, sin(x), sinf(x))
FUNCTION(sinh_float, float, -5.0, 5.0, sinh(x), sinhf(x))
FUNCTION(sinpi_float, float, -2.0, 2.0, sinpi(x), sinpif(x))
FUNCTION(sqrt_float, float, 0.1, 9.0, sqrt(x), sqrtf(x))
FUNCTION(tan_float, float, -1.5, 1.5, tan(x), tanf(x))
FUNCTION(tanh_float, float, -3.0, 3.0, tanh(x), tanhf(x))
FUNCTION(tgamma_float, float, 0.5, 9.0, tgamma(x), tgammaf(x))
FUNCTION(trunc_float, float, -9.0, 9.0, trunc(x), truncf(x))
FUNCTION(atan2_float, float, -5.0, 5.0, atan2(x, y), atan2f(x, y))
FUNCTION(copysign_float, float, -5.0, 5.0, copysign(x, y), copysignf(x, y))
FUNCTION(fdim_float, float, -5.0, 5.0, fdim(x, y), fdimf(x, y))
FUNCTION(fmax_float, float, -5.0, 5.0, fmax(x, y), fmaxf(x, y))
FUNCTION(fmin_float, float, -5.0, 5.0, fmin(x, y), fminf(x, y))
FUNCTION(fmod_float, float, 0.5, 9.0, fmod(x, y), fmodf(x, y))
FUNCTION(hypot_float, float, -5.0, 5.0, hypot(x, y), hypotf(x, y))
FUNCTION(nextafter_float, float, -5.0, 5.0, nextafter(x, y), nextafterf(x, y))
FUNCTION(pow_float, float, 0.5, 5.0, pow(x, y), powf(x, y))
FUNCTION(remainder_float, float, 0.5, 9.0, remainder(x, y), remainderf(x, y))
FUNCTION(divide_float, float, 0.5, 9.0, x / y, x / y)
FUNCTION(fma_float, float, 0.5, 9.0, fma(x, y, x), fmaf(x, y, x))
FUNCTION(ldexp_float, float, 0.5, 9.0, ldexp(x, (int)y), ldexpf(x, (int)y))
FUNCTION(ilogb_float, float, 0.5, 9.0, ilogb(x), ilogbf(x))

FUNCTION(acos_double, double, -0.9, 0.9, acos(x), acos(x))
FUNCTION(acosh_double, double, 1.5, 9.0, acosh(x), acosh(x))
FUNCTION(asin_double, double, -0.9, 0.9, asin(x), asin(x))
FUNCTION(asinh_double, double, -5.0, 5.0, asinh(x), asinh(x))
FUNCTION(atan_double, double, -5.0, 5.0, atan(x), atan(x))
FUNCTION(atanh_double, double, -0.9, 0.9, atanh(x), atanh(x))
FUNCTION(cbrt_double, double, 0.1, 9.0, cbrt(x), cbrt(x))
FUNCTION(ceil_double, double, -9.0, 9.0, ceil(x), ceil(x))
FUNCTION(cos_double, double, -3.0, 3.0, cos(x), cos(x))
FUNCTION(cosh_double, double, -5.0, 5.0, cosh(x), cosh(x))
FUNCTION(cospi_double, double, -2.0, 2.0, cospi(x), cospi(x))
FUNCTION(erf_double, double, -3.0, 3.0, erf(x), erf(x))
FUNCTION(erfc_double, double, -3.0, 3.0, erfc(x), erfc(x))
FUNCTION(exp_double, double, -5.0, 5.0, exp(x), exp(x))
FUNCTION(exp10_double, double, -5.0, 5.0, exp10(x), exp10(x))
FUNCTION(exp2_double, double, -5.0, 5.0, exp2(x), exp2(x))
FUNCTION(expm1_double, double, -5.0, 5.0, expm1(x), expm1(x))
FUNCTION(fabs_double, double, -5.0, 5.0, fabs(x), fabs(x))
FUNCTION(floor_double, double, -9.0, 9.0, floor(x), floor(x))
FUNCTION(lgamma_double, double, 0.5, 9.0, lgamma(x), lgamma(x))
FUNCTION(log_double, double, 0.1, 9.0, log(x), log(x))
FUNCTION(log10_double, double, 0.1, 9.0, log10(x), log10(x))
FUNCTION(log1p_double, double, 0.1, 9.0, log1p(x), log1p(x))
FUNCTION(log2_double, double, 0.1, 9.0, log2(x), log2(x))
FUNCTION(logb_double, double, 0.1, 9.0, logb(x), logb(x))
FUNCTION(rint_double, double, -9.0, 9.0, rint(x), rint(x))
FUNCTION(round_double, double, -9.0, 9.0, round(x), round(x))
FUNCTION(rsqrt_double, double, 0.1, 9.0, rsqrt(x), rsqrt(x))
FUNCTION(sin_double, double, -3.0, 3.0, sin(x), sin(x))
FUNCTION(sinh_double, double, -5.0, 5.0, sinh(x), sinh(x))
FUNCTION(sinpi_double, double, -2.0, 2.0, sinpi(x), sinpi(x))
FUNCTION(sqrt_double, double, 0.1, 9.0, sqrt(x), sqrt(x))
FUNCTION(tan_double, double, -1.5, 1.5, tan(x), tan(x))
FUNCTION(tanh_double, double, -3.0, 3.0, tanh(x), tanh(x))
FUNCTION(tgamma_double, double, 0.5, 9.0, tgamma(x), tgamma(x))
FUNCTION(trunc_double, double, -9.0, 9.0, trunc(x), trunc(x))
FUNCTION(atan2_double, double, -5.0, 5.0, atan2(x, y), atan2(x, y))
FUNCTION(copysign_double, double, -5.0, 5.0, copysign(x, y), copysign(x, y))
FUNCTION(fdim_double, double, -5.0, 5.0, fdim(x, y), fdim(x, y))
FUNCTION(fmax_double, double, -5.0, 5.0, fmax(x, y), fmax(x, y))
FUNCTION(fmin_double, double, -5.0, 5.0, fmin(x, y), fmin(x, y))
FUNCTION(fmod_double, double, 0.5, 9.0, fmod(x, y), fmod(x, y))
FUNCTION(hypot_double, double, -5.0, 5.0, hypot(x, y), hypot(x, y))
FUNCTION(nextafter_double, double, -5.0, 5.0, nextafter(x, y), nextafter(x, y))
FUNCTION(pow_double, double, 0.5, 5.0, pow(x, y), pow(x, y))
FUNCTION(remainder_double, double, 0.5, 9.0, remainder(x, y), remainder(x, y))
FUNCTION(divide_double, double, 0.5, 9.0, x / y, x / y)
FUNCTION(fma_double, double, 0.5, 9.0, fma(x, y, x), fma(x, y, x))
FUNCTION(ldexp_double, double, 0.5, 9.0, ldexp(x, (int)y), ldexp(x, (int)y))
FUNCTION(ilogb_double, double, 0.5, 9.0, ilogb(x), ilogb(x))

FUNCTION(native_sin_float, float, -3.0, 3.0, native_sin(x), __sinf(x))
FUNCTION(native_cos_float, float, -3.0, 3.0, native_cos(x), __cosf(x))
FUNCTION(native_tan_float, float, -1.5, 1.5, native_tan(x), __tanf(x))
FUNCTION(native_exp_float, float, -5.0, 5.0, native_exp(x), __expf(x))
FUNCTION(native_exp10_float, float, -3.0, 3.0, native_exp10(x), __exp10f(x))
FUNCTION(native_log_float, float, 0.1, 9.0, native_log(x), __logf(x))
FUNCTION(native_log2_float, float, 0.1, 9.0, native_log2(x), __log2f(x))
FUNCTION(native_log10_float, float, 0.1, 9.0, native_log10(x), __log10f(x))
FUNCTION(native_powr_float, float, 0.5, 5.0, native_powr(x, y), __powf(x, y))
FUNCTION(native_divide_float, float, 0.5, 9.0, native_divide(x, y), __fdividef(x, y))
FUNCTION(native_recip_float, float, 0.5, 9.0, native_recip(x), __fdividef(1.0f, x))
FUNCTION(native_rsqrt_float, float, 0.5, 9.0, native_rsqrt(x), rsqrtf(x))

FUNCTION(ceil_half, half, -9.0, 9.0, ceil(x), hceil(x))
FUNCTION(cos_half, half, -3.0, 3.0, cos(x), hcos(x))
FUNCTION(exp_half, half, -5.0, 5.0, exp(x), hexp(x))
FUNCTION(exp10_half, half, -3.0, 3.0, exp10(x), hexp10(x))
FUNCTION(exp2_half, half, -5.0, 5.0, exp2(x), hexp2(x))
FUNCTION(floor_half, half, -9.0, 9.0, floor(x), hfloor(x))
FUNCTION(log_half, half, 0.1, 9.0, log(x), hlog(x))
FUNCTION(log10_half, half, 0.1, 9.0, log10(x), hlog10(x))
FUNCTION(log2_half, half, 0.1, 9.0, log2(x), hlog2(x))
FUNCTION(rint_half, half, -9.0, 9.0, rint(x), hrint(x))
FUNCTION(rsqrt_half, half, 0.1, 9.0, rsqrt(x), hrsqrt(x))
FUNCTION(sin_half, half, -3.0, 3.0, sin(x), hsin(x))
FUNCTION(sqrt_half, half, 0.1, 9.0, sqrt(x), hsqrt(x))
FUNCTION(trunc_half, half, -9.0, 9.0, trunc(x), htrunc(x))
FUNCTION(divide_half, half, 0.5, 9.0, x / y, x / y)
FUNCTION(fma_half, half, 0.5, 9.0, fma(x, y, x), __hfma(x, y, x))
FUNCTION(fmax_half, half, -5.0, 5.0, fmax(x, y), __hmax(x, y))
// clang-format on
#undef FUNCTION
