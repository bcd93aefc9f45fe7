// SPDX-License-Identifier: Apache-2.0
// sin, cos, tan and sincos (OpenCL C 6.15.2): an angle is reduced to the range from -pi/4 to pi/4 and the number of its quadrant. In that
// range one polynomial gives the sine and another one the cosine.
#include "pointer_results.h"

#define USUALLY(condition) __builtin_expect(condition, 1)

// The polynomials are minimax approximations with errors of 2^-28 and 2^-58. Zero is added so that the sine of -0 is -0.
static inline float OVERLOAD sine(float r) {
  const float s = r * r;
  return fma(fma(fma(-0x1.9955aep-13f, s, 0x1.11077cp-7f), s, -0x1.555546p-3f), fma(r, s, 0.0f), r);
}
static inline float OVERLOAD cosine(float r) {
  const float s = r * r;
  return fma(fma(fma(fma(0x1.99e80cp-16f, s, -0x1.6c0c28p-10f), s, 0x1.55554ap-5f), s, -0.5f), s, 1.0f);
}
static inline double OVERLOAD sine(double r) {
  const double s = r * r;
  double p = fma(0x1.5d93013c1b68ap-33, s, -0x1.ae5e66a4731cap-26);
  p = fma(fma(p, s, 0x1.71de3578ed85ep-19), s, -0x1.a01a019c141b2p-13);
  p = fma(fma(p, s, 0x1.111111110f89cp-7), s, -0x1.5555555555549p-3);
  return fma(fma(p, s, 0.0), r, r);  // as sine_in(), bit for bit
}
static inline double OVERLOAD cosine(double r) {
  const double s = r * r;
  double p = fma(-0x1.8fa5ece53dbebp-37, s, 0x1.1ee9dacc198f5p-29);
  p = fma(fma(p, s, -0x1.27e4f7f050aacp-22), s, 0x1.a01a019c8dd23p-16);
  p = fma(fma(p, s, -0x1.6c16c16c1500dp-10), s, 0x1.555555555554bp-5);
  return fma(fma(p, s, -0.5), s, 1.0);
}

// 2/pi in binary, after a word of zeros. The product with a large number, modulo 4, is the number's mantissa times the bits from a position
// that its exponent determines: 2 bits before the point and 94, or 190, after it.
static constant const uint words[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                      0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
static constant const ulong long_words[] = {0,
                                            0xa2f9836e4e441529,
                                            0xfc2757d1f534ddc0,
                                            0xdb6295993c439041,
                                            0xfe5163abdebbc561,
                                            0xb7246e3a424dd2e0,
                                            0x06492eea09d1921c,
                                            0xfe1deb1cb129a73e,
                                            0xe88235f52ebb4484,
                                            0xe99c7026b45f7e41,
                                            0x3991d639835339f4,
                                            0x9c845f8bbdf9283b,
                                            0x1ff897ffde05980f,
                                            0xef2f118b5a0a6d1f,
                                            0x6d367ecf27cb09b7,
                                            0x4f463f669e5fea2d,
                                            0x7527bac7ebe5f17b,
                                            0x3d0739f78a5292ea,
                                            0x6bfb5fb11f8d5d08,
                                            0x56033046fc7b6bab};
#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_REST 0x1.1a62633145c07p-54

static inline uint OVERLOAD bits_from(constant const uint* word, uint shift) {
  return (uint)(((ulong)word[0] << 32 | word[1]) << shift >> 32);
}
static inline ulong OVERLOAD bits_from(constant const ulong* word, uint shift) {
  return word[0] << shift | (word[1] >> 1) >> (63 - shift);
}

// Reduces numbers far from zero, infinities and NaN.
static inline float OVERLOAD reduce_large(float x, int* quadrant) {
  const uint bits = as_uint(fabs(x)), mantissa = (bits & 0x007fffffu) | 0x00800000u;
  *quadrant = 0;
  if (bits >= 0x7f800000u) return x - x;
  const uint place = (bits >> 23) - 127 - 23 - 2 + 32, shift = place & 31;
  constant const uint* word = words + (place >> 5);
  const ulong low = (ulong)mantissa * bits_from(word + 2, shift);
  const ulong middle = (ulong)mantissa * bits_from(word + 1, shift) + (low >> 32);
  const ulong product = ((ulong)(mantissa * bits_from(word, shift)) << 32) + middle;
  const int nearest = (int)((product + (1UL << 61)) >> 62);
  *quadrant = x < 0.0f ? -nearest : nearest;
  return copysign(1.0f, x) * (float)((double)(long)(product << 2) * (HALF_PI * 0x1p-64));
}
static inline double OVERLOAD reduce_large(double x, int* quadrant) {
  const ulong bits = as_ulong(fabs(x)), mantissa = (bits & 0x000fffffffffffffUL) | 0x0010000000000000UL;
  *quadrant = 0;
  if (bits >= 0x7ff0000000000000UL) return x - x;
  const uint place = (uint)(bits >> 52) - 1023 - 52 - 2 + 64, shift = place & 63;
  constant const ulong* word = long_words + (place >> 6);
  const ulong w0 = bits_from(word, shift), w1 = bits_from(word + 1, shift), w2 = bits_from(word + 2, shift);
  const ulong carried = mul_hi(mantissa, w2), low = mantissa * w1 + carried;
  const ulong high = mantissa * w0 + mul_hi(mantissa, w1) + (low < carried);
  const int nearest = (int)((high + (1UL << 61)) >> 62);
  *quadrant = x < 0.0 ? -nearest : nearest;
  const long exact = (long)(high << 2 | low >> 62);
  const double fraction = (double)exact,
               rest = fma((double)(low << 2), 0x1p-64, (double)(exact - (long)fraction));
  const double scale = copysign(0x1p-64, x), small = fma(fraction, HALF_PI_REST, rest * HALF_PI);
  return fma(fraction, HALF_PI, small) * scale;
}

// Adding 0x1.8p23f, or 0x1.8p52, leaves a small number's nearest integer in the last bits. The three parts of pi/2 are all positive, so
// that -0 stays -0.
static inline float OVERLOAD reduce_near(float x, int* quadrant) {
  const float rounded = fma(x, 0x1.45f306p-1f, 0x1.8p23f), multiple = rounded - 0x1.8p23f;
  *quadrant = as_int(rounded);
  return fma(multiple, -0x1.846988p-48f, fma(multiple, -0x1.4442dp-24f, fma(multiple, -0x1.921fb4p+0f, x)));
}
static inline double OVERLOAD reduce_near(double x, int* quadrant) {
  const double rounded = fma(x, 0x1.45f306dc9c883p-1, 0x1.8p52), multiple = rounded - 0x1.8p52;
  *quadrant = as_int2(rounded).x;
  return fma(multiple, -0x1.c1cd129024e08p-107,
             fma(multiple, -0x1.1a62633145c06p-54, fma(multiple, -HALF_PI, x)));
}

static inline float OVERLOAD reduce(float x, int* quadrant) {
  float r = reduce_near(x, quadrant);
  if (!USUALLY((as_uint(x) & 0x7fffffffu) < 0x48000000u)) r = reduce_large(x, quadrant);
  return r;
}
static inline double OVERLOAD reduce(double x, int* quadrant) {
  double r = reduce_near(x, quadrant);
  if (!USUALLY((as_uint2(x).y & 0x7fffffffu) < 0x41e00000u)) r = reduce_large(x, quadrant);
  return r;
}

static inline float OVERLOAD negate_if_second(float x, int quadrant) {
  return as_float(as_uint(x) ^ ((uint)quadrant << 30 & 0x80000000u));
}
static inline double OVERLOAD negate_if_second(double x, int quadrant) {
  uint2 bits = as_uint2(x);
  bits.y ^= (uint)quadrant << 30 & 0x80000000u;
  return as_double(bits);
}

// The sine of r plus a number of quadrants.
static inline float OVERLOAD sine_in(int quadrant, float r) {
  const float s = sine(r), c = cosine(r);
  return negate_if_second(quadrant & 1 ? c : s, quadrant);
}

// A 64-bit constant takes two instructions, so the coefficients of the polynomial that is needed are loaded from a table.
static global const double2 coefficients[2][3] = {
    {(double2)(-0x1.ae5e66a4731cap-26, 0x1.71de3578ed85ep-19),
     (double2)(-0x1.a01a019c141b2p-13, 0x1.111111110f89cp-7), (double2)(-0x1.5555555555549p-3, 0.0)},
    {(double2)(0x1.1ee9dacc198f5p-29, -0x1.27e4f7f050aacp-22),
     (double2)(0x1.a01a019c8dd23p-16, -0x1.6c16c16c1500dp-10), (double2)(0x1.555555555554bp-5, -0.5)}};
static inline double OVERLOAD sine_in(int quadrant, double r) {
  const bool is_odd = quadrant & 1;
  global const double2* c = coefficients[quadrant & 1];
  const double s = r * r;
  double p = fma(is_odd ? -0x1.8fa5ece53dbebp-37 : 0x1.5d93013c1b68ap-33, s, c[0].x);
  p = fma(fma(fma(fma(fma(p, s, c[0].y), s, c[1].x), s, c[1].y), s, c[2].x), s, c[2].y);
  const double of_sine = fma(p, r, r), of_cosine = fma(p, s, 1.0);
  return negate_if_second(is_odd ? of_cosine : of_sine, quadrant);
}

#define TRIGONOMETRIC(T)                                                 \
  T OVERLOAD sin(T x) {                                                  \
    int quadrant;                                                        \
    const T r = reduce(x, &quadrant);                                    \
    return sine_in(quadrant, r);                                         \
  }                                                                      \
  T OVERLOAD cos(T x) {                                                  \
    int quadrant;                                                        \
    const T r = reduce(x, &quadrant);                                    \
    return sine_in(quadrant + 1, r);                                     \
  }                                                                      \
  /* Both, for merge_sine_cosine.h. */                                   \
  T##2 OVERLOAD __clcuda_sine_cosine(T x) {                              \
    int quadrant;                                                        \
    const T r = reduce(x, &quadrant);                                    \
    const T s = sine(r), c = cosine(r);                                  \
    return (T##2)(negate_if_second(quadrant & 1 ? c : s, quadrant),      \
                  negate_if_second(quadrant & 1 ? s : c, quadrant + 1)); \
  }                                                                      \
  static inline T OVERLOAD sincos_parts(T x, __private T* result) {      \
    const T##2 both = __clcuda_sine_cosine(x);                           \
    *result = both.y;                                                    \
    return both.x;                                                       \
  }
TRIGONOMETRIC(float)
TRIGONOMETRIC(double)

// The tangent of r plus a number of quadrants, in single precision by a polynomial with an error of 2^-25. The quotient's divisor is
// neither tiny nor huge: the approximation of its inverse has 20 bits, and a third-order step makes it accurate to all bits.
static inline float OVERLOAD tangent_in(int quadrant, float r) {
  const float s = r * r;
  float p = fma(fma(0x1.33e4c6p-7f, s, 0x1.9694cp-9f), s, 0x1.9071bcp-6f);
  p = fma(fma(fma(p, s, 0x1.b5852ep-5f), s, 0x1.112deap-3f), s, 0x1.5554dep-2f);
  const float tangent = fma(p, r * s, r), inverse = __nvvm_rcp_approx_ftz_f(tangent);
  return quadrant & 1 ? -inverse : tangent;
}
static inline double OVERLOAD tangent_in(int quadrant, double r) {
  const bool is_odd = quadrant & 1;
  const double s = sine(r), c = cosine(r), divisor = is_odd ? s : c;
  const double near = __nvvm_rcp_approx_ftz_d(divisor), rest = fma(-divisor, near, 1.0);
  return (is_odd ? -c : s) * fma(fma(rest, rest, rest), near, near);
}

#define TANGENT(T)                    \
  T OVERLOAD tan(T x) {               \
    int quadrant;                     \
    const T r = reduce(x, &quadrant); \
    return tangent_in(quadrant, r);   \
  }
TANGENT(float)
TANGENT(double)

// No half is so large that it needs reduce_large().
#define IN_HALF(name, result)                         \
  half OVERLOAD name(half x) {                        \
    int quadrant;                                     \
    const float r = reduce_near((float)x, &quadrant); \
    return (half)result;                              \
  }
IN_HALF(sin, sine_in(quadrant, r))
IN_HALF(cos, sine_in(quadrant + 1, r))
IN_HALF(tan, tangent_in(quadrant, r))
static inline half OVERLOAD sincos_parts(half x, __private half* result) {
  *result = cos(x);
  return sin(x);
}

#define FAMILY(T, ...) \
  VECTORS_1(T, sin, T) \
  VECTORS_1(T, cos, T) \
  VECTORS_1(T, tan, T) \
  IN_ALL_SPACES(1, sincos, T, T)
FOR_FLOAT_TYPES(FAMILY)
