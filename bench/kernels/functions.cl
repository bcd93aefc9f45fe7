// SPDX-License-Identifier: Apache-2.0
// Mathematical functions, each in a loop without unrolling, which hides nothing of what a call costs: by name, type, the ends of its
// arguments, and what it is in OpenCL C and in CUDA. Whoever reads the table otherwise than as kernels defines FUNCTION first.
#ifndef FUNCTION
#ifdef __CUDACC__
#define CHOICE(opencl, cuda) cuda
#define BITS_float(x) (uint) __float_as_int(x)
#define BITS_double(x) (uint)(__double_as_longlong(x) ^ __double_as_longlong(x) >> 32)
#else
#define CHOICE(opencl, cuda) opencl
#define BITS_float(x) as_uint(x)
#define BITS_double(x) (uint)(as_ulong(x) ^ as_ulong(x) >> 32)
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

// Functions that have the same name in both languages, less CUDA's f in single precision.
#define REAL(name, low, high, arguments)                                      \
  FUNCTION(name##_float, float, low, high, name arguments, name##f arguments) \
  FUNCTION(name##_double, double, low, high, name arguments, name arguments)
#define REAL_OF_ONE(name, low, high) REAL(name, low, high, (x))
#define REAL_OF_TWO(name, low, high) REAL(name, low, high, (x, y))

REAL_OF_ONE(acos, -0.9, 0.9)
REAL_OF_ONE(acosh, 1.5, 9.0)
REAL_OF_ONE(asin, -0.9, 0.9)
REAL_OF_ONE(asinh, -5.0, 5.0)
REAL_OF_ONE(atan, -5.0, 5.0)
REAL_OF_ONE(atanh, -0.9, 0.9)
REAL_OF_ONE(cbrt, 0.1, 9.0)
REAL_OF_ONE(ceil, -9.0, 9.0)
REAL_OF_ONE(cos, -3.0, 3.0)
REAL_OF_ONE(cosh, -5.0, 5.0)
REAL_OF_ONE(cospi, -2.0, 2.0)
REAL_OF_ONE(erf, -3.0, 3.0)
REAL_OF_ONE(erfc, -3.0, 3.0)
REAL_OF_ONE(exp, -5.0, 5.0)
REAL_OF_ONE(exp10, -5.0, 5.0)
REAL_OF_ONE(exp2, -5.0, 5.0)
REAL_OF_ONE(expm1, -5.0, 5.0)
REAL_OF_ONE(fabs, -5.0, 5.0)
REAL_OF_ONE(floor, -9.0, 9.0)
REAL_OF_ONE(lgamma, 0.5, 9.0)
REAL_OF_ONE(log, 0.1, 9.0)
REAL_OF_ONE(log10, 0.1, 9.0)
REAL_OF_ONE(log1p, 0.1, 9.0)
REAL_OF_ONE(log2, 0.1, 9.0)
REAL_OF_ONE(logb, 0.1, 9.0)
REAL_OF_ONE(rint, -9.0, 9.0)
REAL_OF_ONE(round, -9.0, 9.0)
REAL_OF_ONE(rsqrt, 0.1, 9.0)
REAL_OF_ONE(sin, -3.0, 3.0)
REAL_OF_ONE(sinh, -5.0, 5.0)
REAL_OF_ONE(sinpi, -2.0, 2.0)
REAL_OF_ONE(sqrt, 0.1, 9.0)
REAL_OF_ONE(tan, -1.5, 1.5)
REAL_OF_ONE(tanh, -3.0, 3.0)
REAL_OF_ONE(tgamma, 0.5, 9.0)
REAL_OF_ONE(trunc, -9.0, 9.0)
REAL_OF_ONE(ilogb, 0.5, 9.0)

REAL_OF_TWO(atan2, -5.0, 5.0)
REAL_OF_TWO(copysign, -5.0, 5.0)
REAL_OF_TWO(fdim, -5.0, 5.0)
REAL_OF_TWO(fmax, -5.0, 5.0)
REAL_OF_TWO(fmin, -5.0, 5.0)
REAL_OF_TWO(fmod, 0.5, 9.0)
REAL_OF_TWO(hypot, -5.0, 5.0)
REAL_OF_TWO(nextafter, -5.0, 5.0)
REAL_OF_TWO(pow, 0.5, 5.0)
REAL_OF_TWO(remainder, 0.5, 9.0)

FUNCTION(divide_float, float, 0.5, 9.0, x / y, x / y)
FUNCTION(fma_float, float, 0.5, 9.0, fma(x, y, x), fmaf(x, y, x))
FUNCTION(ldexp_float, float, 0.5, 9.0, ldexp(x, (int)y), ldexpf(x, (int)y))

FUNCTION(divide_double, double, 0.5, 9.0, x / y, x / y)
FUNCTION(fma_double, double, 0.5, 9.0, fma(x, y, x), fma(x, y, x))
FUNCTION(ldexp_double, double, 0.5, 9.0, ldexp(x, (int)y), ldexp(x, (int)y))

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
