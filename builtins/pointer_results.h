// SPDX-License-Identifier: Apache-2.0
#pragma once

// Math functions with a second result behind a pointer, in every address space: from a scalar function
// NAME_parts that returns the first result and puts the second into a private variable. R is the type of the
// second result.
#include "library.h"

#define SCALAR_PARTS_1(space, name, T, R) \
  T OVERLOAD name(T x, space R* second) { \
    R part;                               \
    T first = name##_parts(x, &part);     \
    *second = part;                       \
    return first;                         \
  }
#define VECTOR_PARTS_1(n, space, name, T, R)                               \
  T##n OVERLOAD name(T##n x, space R##n* second) {                         \
    T##n first;                                                            \
    R##n parts;                                                            \
    EACH(n, R part; first[i] = name##_parts(x[i], &part); parts[i] = part) \
    *second = parts;                                                       \
    return first;                                                          \
  }
#define SCALAR_PARTS_2(space, name, T, R)      \
  T OVERLOAD name(T x, T y, space R* second) { \
    R part;                                    \
    T first = name##_parts(x, y, &part);       \
    *second = part;                            \
    return first;                              \
  }
#define VECTOR_PARTS_2(n, space, name, T, R)                                     \
  T##n OVERLOAD name(T##n x, T##n y, space R##n* second) {                       \
    T##n first;                                                                  \
    R##n parts;                                                                  \
    EACH(n, R part; first[i] = name##_parts(x[i], y[i], &part); parts[i] = part) \
    *second = parts;                                                             \
    return first;                                                                \
  }
#define IN_SPACE(arity, space, name, T, R) \
  SCALAR_PARTS_##arity(space, name, T, R) FOR_VECTOR_WIDTHS(VECTOR_PARTS_##arity, space, name, T, R)
#define IN_ALL_SPACES(arity, name, T, R) \
  IN_SPACE(arity, __generic, name, T, R) \
  IN_SPACE(arity, __global, name, T, R) IN_SPACE(arity, __local, name, T, R)
