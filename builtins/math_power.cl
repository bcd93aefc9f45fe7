// SPDX-License-Identifier: Apache-2.0
// pown, powr and rootn (OpenCL C 6.15.2, edge cases 7.5.1), over libdevice's pow of |x|.
#include "library.h"

float __nv_powf(float, float);
double __nv_pow(double, double);
static inline float OVERLOAD power(float x, float y) { return __nv_powf(x, y); }
static inline double OVERLOAD power(double x, double y) { return __nv_pow(x, y); }

// The sign of x to an odd power.
#define SIGNED(result, x, n) ((n) & 1 ? copysign(result, x) : result)

// power(x, y) for an exponent that is `rest` more than y, little enough to change the result by a small factor only.
#define CORRECTED(result, x, rest) \
  (isfinite(result) && (rest) != 0 && (result) != 0 ? fma(result, (rest) * log(x), result) : result)

// Above 2^24 not every int is a float; what is lost matters where x is close to 1.
float OVERLOAD pown(float x, int n) {
  float magnitude = fabs(x), y = (float)n;
  float result = power(magnitude, y);
  if (abs(n) > 1 << 24) {
    float rest = (float)(int)((long)n - (long)y);
    result = CORRECTED(result, magnitude, rest);
  }
  return SIGNED(result, x, n);
}
double OVERLOAD pown(double x, int n) {
  double result = power(fabs(x), (double)n);
  return SIGNED(result, x, n);
}
half OVERLOAD pown(half x, int n) { return (half)pown((float)x, n); }

// 1/n is rounded: the exponent is completed with what that loses. An even root of a negative number, and the root of degree 0, are
// not numbers.
#define ROOTN(T)                                                                    \
  T OVERLOAD rootn(T x, int n) {                                                    \
    if (n == 0 || (!(n & 1) && x < (T)0)) return nan_of_##T();                      \
    T magnitude = fabs(x), degree = (T)n, exponent = (T)1 / degree;                 \
    T result = power(magnitude, exponent);                                          \
    result = CORRECTED(result, magnitude, fma(-degree, exponent, (T)1) * exponent); \
    return SIGNED(result, x, n);                                                    \
  }
static inline float nan_of_float(void) { return nan(0u); }
static inline double nan_of_double(void) { return nan(0ul); }
ROOTN(float)
ROOTN(double)
half OVERLOAD rootn(half x, int n) { return (half)rootn((float)x, n); }

// Defined as exp(y log x): not a number for negative x, 0 to the 0, infinity to the 0 and 1 to infinity.
#define POWR(T)                                                                                    \
  T OVERLOAD powr(T x, T y) {                                                                      \
    bool undefined = x < (T)0 || isnan(x) || isnan(y) || (y == (T)0 && (x == (T)0 || isinf(x))) || \
                     (x == (T)1 && isinf(y));                                                      \
    return undefined ? nan_of_##T() : power(fabs(x), y);                                           \
  }
POWR(float)
POWR(double)
half OVERLOAD powr(half x, half y) { return (half)powr((float)x, (float)y); }

#define FAMILY(T, ...)        \
  VECTORS_2(T, pown, T, int)  \
  VECTORS_2(T, rootn, T, int) \
  VECTORS_2(T, powr, T, T)
FOR_FLOAT_TYPES(FAMILY)
