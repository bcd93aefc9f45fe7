// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenCL C has no templates: these macros repeat a definition over types and vector widths. M is a macro
// whose first arguments are the type or width; the rest is handed through.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define OVERLOAD __attribute__((overloadable))

#define FOR_VECTOR_WIDTHS(M, ...) \
  M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)
#define FOR_WIDTHS(M, ...) M(, __VA_ARGS__) FOR_VECTOR_WIDTHS(M, __VA_ARGS__)

// M(signed type, unsigned type of that size, bits, …)
#define FOR_SIGNED_TYPES(M, ...)    \
  M(char, uchar, 8, __VA_ARGS__)    \
  M(short, ushort, 16, __VA_ARGS__) \
  M(int, uint, 32, __VA_ARGS__)     \
  M(long, ulong, 64, __VA_ARGS__)
#define FOR_UNSIGNED_TYPES(M, ...)   \
  M(uchar, uchar, 8, __VA_ARGS__)    \
  M(ushort, ushort, 16, __VA_ARGS__) \
  M(uint, uint, 32, __VA_ARGS__)     \
  M(ulong, ulong, 64, __VA_ARGS__)
#define FOR_INTEGER_TYPES(M, ...) FOR_SIGNED_TYPES(M, __VA_ARGS__) FOR_UNSIGNED_TYPES(M, __VA_ARGS__)

// M(type, signed type of that size, unsigned type of that size, bits, …)
#define FOR_FLOAT_TYPES(M, ...)           \
  M(half, short, ushort, 16, __VA_ARGS__) \
  M(float, int, uint, 32, __VA_ARGS__)    \
  M(double, long, ulong, 64, __VA_ARGS__)

// Vector overloads that apply the scalar overload to each element. R, A, B, C are scalar types.
#define EACH(n, expression) \
  _Pragma("unroll") for (int i = 0; i < n; ++i) { expression; }
#define VECTOR_1(n, R, name, A) \
  R##n OVERLOAD name(A##n x) {  \
    R##n r;                     \
    EACH(n, r[i] = name(x[i]))  \
    return r;                   \
  }
#define VECTOR_2(n, R, name, A, B)     \
  R##n OVERLOAD name(A##n x, B##n y) { \
    R##n r;                            \
    EACH(n, r[i] = name(x[i], y[i]))   \
    return r;                          \
  }
#define VECTOR_3(n, R, name, A, B, C)          \
  R##n OVERLOAD name(A##n x, B##n y, C##n z) { \
    R##n r;                                    \
    EACH(n, r[i] = name(x[i], y[i], z[i]))     \
    return r;                                  \
  }
#define VECTORS_1(R, name, A) FOR_VECTOR_WIDTHS(VECTOR_1, R, name, A)
#define VECTORS_2(R, name, A, B) FOR_VECTOR_WIDTHS(VECTOR_2, R, name, A, B)
#define VECTORS_3(R, name, A, B, C) FOR_VECTOR_WIDTHS(VECTOR_3, R, name, A, B, C)

// CONVERT##n(x, R): a vector of n, or a scalar where n is empty, to elements of type R as C converts them.
#define CONVERT(x, R) ((R)(x))
#define CONVERT2(x, R) __builtin_convertvector(x, R##2)
#define CONVERT3(x, R) __builtin_convertvector(x, R##3)
#define CONVERT4(x, R) __builtin_convertvector(x, R##4)
#define CONVERT8(x, R) __builtin_convertvector(x, R##8)
#define CONVERT16(x, R) __builtin_convertvector(x, R##16)
