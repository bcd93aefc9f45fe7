// SPDX-License-Identifier: Apache-2.0
// acospi, asinpi, atanpi, atan2pi and tanpi (OpenCL C 6.15.2).
#include "library.h"

#define OVER_PI(T, one_over_pi)                                         \
  T OVERLOAD acospi(T x) { return acos(x) * (T)one_over_pi; }           \
  T OVERLOAD asinpi(T x) { return asin(x) * (T)one_over_pi; }           \
  T OVERLOAD atanpi(T x) { return atan(x) * (T)one_over_pi; }           \
  T OVERLOAD atan2pi(T y, T x) { return atan2(y, x) * (T)one_over_pi; } \
  T OVERLOAD tanpi(T x) { return sinpi(x) / cospi(x); }
OVER_PI(float, 0x1.45f306dc9c883p-2)
OVER_PI(double, 0x1.45f306dc9c883p-2)

half OVERLOAD acospi(half x) { return (half)acospi((float)x); }
half OVERLOAD asinpi(half x) { return (half)asinpi((float)x); }
half OVERLOAD atanpi(half x) { return (half)atanpi((float)x); }
half OVERLOAD atan2pi(half y, half x) { return (half)atan2pi((float)y, (float)x); }
half OVERLOAD tanpi(half x) { return (half)tanpi((float)x); }

#define FAMILY(T, ...)    \
  VECTORS_1(T, acospi, T) \
  VECTORS_1(T, asinpi, T) \
  VECTORS_1(T, atanpi, T) \
  VECTORS_1(T, tanpi, T)  \
  VECTORS_2(T, atan2pi, T, T)
FOR_FLOAT_TYPES(FAMILY)
