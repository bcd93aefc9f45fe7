// SPDX-License-Identifier: Apache-2.0
// shuffle and shuffle2 (OpenCL C 6.15.13). Only the low bits of a mask's elements, which select an element of the input, are used.
#include "library.h"

#define SHUFFLE(n, m, T, U)                                                   \
  T##n OVERLOAD shuffle(T##m x, U##n mask) {                                  \
    T##n r;                                                                   \
    EACH(n, r[i] = x[mask[i] & (m - 1)])                                      \
    return r;                                                                 \
  }                                                                           \
  T##n OVERLOAD shuffle2(T##m x, T##m y, U##n mask) {                         \
    T##n r;                                                                   \
    EACH(n, r[i] = mask[i] & m ? y[mask[i] & (m - 1)] : x[mask[i] & (m - 1)]) \
    return r;                                                                 \
  }
#define INPUTS(n, T, U) SHUFFLE(n, 2, T, U) SHUFFLE(n, 4, T, U) SHUFFLE(n, 8, T, U) SHUFFLE(n, 16, T, U)
#define SHUFFLES(T, U) INPUTS(2, T, U) INPUTS(4, T, U) INPUTS(8, T, U) INPUTS(16, T, U)
#define INTEGER(T, U, ...) SHUFFLES(T, U)
#define FLOAT(T, S, U, ...) SHUFFLES(T, U)
FOR_INTEGER_TYPES(INTEGER)
FOR_FLOAT_TYPES(FLOAT)
