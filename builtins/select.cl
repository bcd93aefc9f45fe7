// SPDX-License-Identifier: Apache-2.0
// any, all, bitselect and select (OpenCL C 6.15.6).
#include "library.h"

#define ANY_ALL(T, U, bits, ...)          \
  int OVERLOAD any(T x) { return x < 0; } \
  int OVERLOAD all(T x) { return x < 0; } \
  FOR_VECTOR_WIDTHS(ANY_ALL_VECTOR, T)
#define ANY_ALL_VECTOR(n, T)                                      \
  int OVERLOAD any(T##n x) { return __builtin_reduce_or(x) < 0; } \
  int OVERLOAD all(T##n x) { return __builtin_reduce_and(x) < 0; }
FOR_SIGNED_TYPES(ANY_ALL)

// S and U: the integer types as wide as T. A scalar condition is true if it is not zero, an element of a vector if its top bit is set.
#define SELECT_SCALAR(T, S, U)                                                          \
  T OVERLOAD bitselect(T x, T y, T mask) {                                              \
    return __builtin_astype((U)((__builtin_astype(x, U) & ~__builtin_astype(mask, U)) | \
                                (__builtin_astype(y, U) & __builtin_astype(mask, U))),  \
                            T);                                                         \
  }                                                                                     \
  T OVERLOAD select(T x, T y, S condition) { return condition ? y : x; }                \
  T OVERLOAD select(T x, T y, U condition) { return condition ? y : x; }
#define SELECT_VECTOR(n, T, S, U)                                                              \
  T##n OVERLOAD bitselect(T##n x, T##n y, T##n mask) {                                         \
    return __builtin_astype((__builtin_astype(x, U##n) & ~__builtin_astype(mask, U##n)) |      \
                                (__builtin_astype(y, U##n) & __builtin_astype(mask, U##n)),    \
                            T##n);                                                             \
  }                                                                                            \
  T##n OVERLOAD select(T##n x, T##n y, S##n condition) { return condition < (S##n)0 ? y : x; } \
  T##n OVERLOAD select(T##n x, T##n y, U##n condition) {                                       \
    return __builtin_astype(condition, S##n) < (S##n)0 ? y : x;                                \
  }
#define SELECT(T, S, U) SELECT_SCALAR(T, S, U) FOR_VECTOR_WIDTHS(SELECT_VECTOR, T, S, U)

SELECT(char, char, uchar)
SELECT(uchar, char, uchar)
SELECT(short, short, ushort)
SELECT(ushort, short, ushort)
SELECT(int, int, uint)
SELECT(uint, int, uint)
SELECT(long, long, ulong)
SELECT(ulong, long, ulong)
SELECT(half, short, ushort)
SELECT(float, int, uint)
SELECT(double, long, ulong)
