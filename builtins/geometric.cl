// SPDX-License-Identifier: Apache-2.0
// Geometric functions (OpenCL C 6.15.5).
#include "library.h"

#define DOT_1(x, y) ((x) * (y))
#define DOT_2(x, y) fma((x).s1, (y).s1, (x).s0*(y).s0)
#define DOT_3(x, y) fma((x).s2, (y).s2, DOT_2(x, y))
#define DOT_4(x, y) fma((x).s3, (y).s3, DOT_3(x, y))

#define DOTS(T)                                          \
  T OVERLOAD dot(T x, T y) { return DOT_1(x, y); }       \
  T OVERLOAD dot(T##2 x, T##2 y) { return DOT_2(x, y); } \
  T OVERLOAD dot(T##3 x, T##3 y) { return DOT_3(x, y); } \
  T OVERLOAD dot(T##4 x, T##4 y) { return DOT_4(x, y); }
DOTS(half)
DOTS(float)
DOTS(double)

// Each product is rounded separately, so that cross(x, x) is zero.
#define CROSS(T)                                                                \
  T##3 OVERLOAD cross(T##3 x, T##3 y) { return x.yzx * y.zxy - x.zxy * y.yzx; } \
  T##4 OVERLOAD cross(T##4 x, T##4 y) { return (T##4)(cross(x.xyz, y.xyz), 0); }
CROSS(half)
CROSS(float)
CROSS(double)

// The sum of squares may overflow or underflow where the length does not. Only then (and for NaN) the vector is scaled by a power of two.
// `low` and `high` bound the sums that have full precision.
#define LENGTHS(T, V, low, high, up, down)                                                              \
  T OVERLOAD length(V x) {                                                                              \
    T square = dot(x, x);                                                                               \
    if (square >= (T)low && square <= (T)high) return sqrt(square);                                     \
    bool large = square > (T)1;                                                                         \
    x *= large ? (T)down : (T)up;                                                                       \
    return sqrt(dot(x, x)) * (large ? (T)up : (T)down);                                                 \
  }                                                                                                     \
  T OVERLOAD distance(V x, V y) { return length(x - y); }                                               \
  V OVERLOAD normalize(V x) {                                                                           \
    T square = dot(x, x);                                                                               \
    if (square >= (T)low && square <= (T)high) return x * rsqrt(square);                                \
    bool large = square > (T)1;                                                                         \
    V scaled = x * (large ? (T)down : (T)up);                                                           \
    square = dot(scaled, scaled);                                                                       \
    if (square == (T)0) return x;                                                                       \
    if (square == (T)INFINITY) { /* the direction is that of the infinite elements */                   \
      x = __builtin_elementwise_copysign(__builtin_elementwise_abs(x) == (V)INFINITY ? (V)1 : (V)0, x); \
      return x * rsqrt(dot(x, x));                                                                      \
    }                                                                                                   \
    /* Scaling down would cost small elements their bits, so there the result is scaled. */             \
    return large ? x * rsqrt(square) * (T)down : scaled * rsqrt(square);                                \
  }
#define LENGTHS_OF(T, ...)   \
  LENGTHS(T, T, __VA_ARGS__) \
  LENGTHS(T, T##2, __VA_ARGS__) LENGTHS(T, T##3, __VA_ARGS__) LENGTHS(T, T##4, __VA_ARGS__)
LENGTHS_OF(float, 0x1p-80f, 0x1p126f, 0x1p90f, 0x1p-90f)
LENGTHS_OF(double, 0x1p-900, 0x1p1022, 0x1p600, 0x1p-600)

// Squares of halves are in the range of float.
#define HALF_LENGTHS(n)                                                          \
  half OVERLOAD length(half##n x) { return (half)length(CONVERT##n(x, float)); } \
  half OVERLOAD distance(half##n x, half##n y) { return length(x - y); }         \
  half##n OVERLOAD normalize(half##n x) { return CONVERT##n(normalize(CONVERT##n(x, float)), half); }
HALF_LENGTHS()
HALF_LENGTHS(2)
HALF_LENGTHS(3)
HALF_LENGTHS(4)

#define FAST(V)                                                         \
  float OVERLOAD fast_length(V x) { return half_sqrt(dot(x, x)); }      \
  float OVERLOAD fast_distance(V x, V y) { return fast_length(x - y); } \
  V OVERLOAD fast_normalize(V x) {                                      \
    float square = dot(x, x);                                           \
    return square == 0 ? x : x * half_rsqrt(square);                    \
  }
FAST(float)
FAST(float2)
FAST(float3)
FAST(float4)
