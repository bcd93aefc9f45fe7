// SPDX-License-Identifier: Apache-2.0
// Relational functions on floating-point numbers (OpenCL C 6.15.6): the result is 0 or 1 for scalars, 0 or -1 for vectors.
#include "library.h"

#define COMPARE(n, T, S, name, expression) \
  S##n OVERLOAD name(T##n x, T##n y) { return expression; }
#define CLASSIFY(n, T, S, name, expression) \
  S##n OVERLOAD name(T##n x) { return expression; }

// R: what the scalar overload returns. For double and half that is int, while vectors return integers of their own width.
#define RELATIONS(n, T, R, U, magnitude, infinity, lowest_normal)                             \
  COMPARE(n, T, R, isequal, x == y)                                                           \
  COMPARE(n, T, R, isnotequal, x != y)                                                        \
  COMPARE(n, T, R, isgreater, x > y)                                                          \
  COMPARE(n, T, R, isgreaterequal, x >= y)                                                    \
  COMPARE(n, T, R, isless, x < y)                                                             \
  COMPARE(n, T, R, islessequal, x <= y)                                                       \
  COMPARE(n, T, R, islessgreater, (x < y) | (x > y))                                          \
  COMPARE(n, T, R, isordered, (x == x) & (y == y))                                            \
  COMPARE(n, T, R, isunordered, (x != x) | (y != y))                                          \
  CLASSIFY(n, T, R, isnan, x != x)                                                            \
  CLASSIFY(n, T, R, isinf, (__builtin_astype(x, U##n) & (U##n)magnitude) == (U##n)infinity)   \
  CLASSIFY(n, T, R, isfinite, (__builtin_astype(x, U##n) & (U##n)magnitude) < (U##n)infinity) \
  CLASSIFY(n, T, R, isnormal,                                                                 \
           (U##n)((__builtin_astype(x, U##n) & (U##n)magnitude) - (U##n)lowest_normal) <      \
               (U##n)(infinity - lowest_normal))                                              \
  CLASSIFY(n, T, R, signbit, (__builtin_astype(x, U##n) & (U##n) ~(U)magnitude) != (U##n)0)

#define VECTOR_RELATIONS(n, T, S, U, magnitude, infinity, lowest_normal) \
  RELATIONS(n, T, S, U, magnitude, infinity, lowest_normal)
#define FAMILY(T, S, U, magnitude, infinity, lowest_normal)  \
  RELATIONS(, T, int, U, magnitude, infinity, lowest_normal) \
  FOR_VECTOR_WIDTHS(VECTOR_RELATIONS, T, S, U, magnitude, infinity, lowest_normal)
FAMILY(half, short, ushort, 0x7fff, 0x7c00, 0x0400)
FAMILY(float, int, uint, 0x7fffffffu, 0x7f800000u, 0x00800000u)
FAMILY(double, long, ulong, 0x7fffffffffffffffUL, 0x7ff0000000000000UL, 0x0010000000000000UL)
