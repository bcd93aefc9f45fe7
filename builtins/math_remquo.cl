// SPDX-License-Identifier: Apache-2.0
// remquo (OpenCL C 6.15.2): the exact remainder, and the lowest seven bits of the quotient, which libdevice does not return.
#include "pointer_results.h"

// Every step is exact: multiples of y by powers of two, and differences of numbers within a factor of two.
#define REMQUO(T)                                                            \
  static inline T OVERLOAD remquo_parts(T x, T y, __private int* quotient) { \
    T divisor = fabs(y), rest = fabs(x);                                     \
    if (!(rest < divisor * (T)128)) rest = fmod(rest, divisor * (T)128);     \
    int q = 0;                                                               \
    for (int bit = 64; bit != 0; bit >>= 1) {                                \
      T part = divisor * (T)bit;                                             \
      if (rest >= part) {                                                    \
        rest -= part;                                                        \
        q |= bit;                                                            \
      }                                                                      \
    }                                                                        \
    T missing = divisor - rest;                                              \
    if (rest > missing || (rest == missing && (q & 1))) {                    \
      rest = -missing;                                                       \
      ++q;                                                                   \
    }                                                                        \
    q &= 127;                                                                \
    *quotient = isnan(rest) ? 0 : signbit(x) != signbit(y) ? -q : q;         \
    return signbit(x) ? -rest : rest;                                        \
  }
REMQUO(float)
REMQUO(double)
static inline half OVERLOAD remquo_parts(half x, half y, __private int* quotient) {
  return (half)remquo_parts((float)x, (float)y, quotient);
}

IN_ALL_SPACES(2, remquo, half, int)
IN_ALL_SPACES(2, remquo, float, int)
IN_ALL_SPACES(2, remquo, double, int)
