// SPDX-License-Identifier: Apache-2.0
// Integer functions (OpenCL C 6.15.3) that multiply or concatenate: mul_hi, mad_hi, mad_sat, mul24, mad24, upsample.
#include "library.h"

// Types of at most half the register width are multiplied as int.
#define NARROW(T, bits, lowest, highest)                                                              \
  T OVERLOAD mul_hi(T x, T y) { return (T)(((int)x * (int)y) >> bits); }                              \
  T OVERLOAD mad_sat(T x, T y, T z) {                                                                 \
    return (T)__builtin_elementwise_min(__builtin_elementwise_max((long)x * y + z, lowest), highest); \
  }
NARROW(char, 8, -128L, 127L)
NARROW(uchar, 8, 0L, 255L)
NARROW(short, 16, -32768L, 32767L)

ushort OVERLOAD mul_hi(ushort x, ushort y) { return (ushort)(((uint)x * y) >> 16); }
ushort OVERLOAD mad_sat(ushort x, ushort y, ushort z) {
  return (ushort)__builtin_elementwise_min((ulong)x * y + z, 65535UL);
}

int OVERLOAD mul_hi(int x, int y) { return __nvvm_mulhi_i(x, y); }
uint OVERLOAD mul_hi(uint x, uint y) { return __nvvm_mulhi_ui(x, y); }
// libdevice's functions, because those of Clang's builtins take long long, which has 128 bits in OpenCL C.
long __nv_mul64hi(long, long);
ulong __nv_umul64hi(ulong, ulong);
long OVERLOAD mul_hi(long x, long y) { return __nv_mul64hi(x, y); }
ulong OVERLOAD mul_hi(ulong x, ulong y) { return __nv_umul64hi(x, y); }

int OVERLOAD mad_sat(int x, int y, int z) {
  long sum = (long)x * y + z;
  return (int)__builtin_elementwise_min(__builtin_elementwise_max(sum, (long)INT_MIN), (long)INT_MAX);
}
uint OVERLOAD mad_sat(uint x, uint y, uint z) {
  return (uint)__builtin_elementwise_min((ulong)x * y + z, (ulong)UINT_MAX);
}
long OVERLOAD mad_sat(long x, long y, long z) {
  ulong product = (ulong)x * (ulong)y;
  ulong low = product + (ulong)z;
  long high = __nv_mul64hi(x, y) + (z >> 63) + (low < product);
  bool fits = high == (long)low >> 63;
  return fits ? (long)low : high < 0 ? LONG_MIN : LONG_MAX;
}
ulong OVERLOAD mad_sat(ulong x, ulong y, ulong z) {
  return __nv_umul64hi(x, y) != 0 ? ULONG_MAX : __builtin_elementwise_add_sat(x * y, z);
}

// The sum wraps. It is computed unsigned, because overflow of an int would be undefined.
#define MAD_HI(n, T, U)                                                                                      \
  T##n OVERLOAD mad_hi(T##n x, T##n y, T##n z) {                                                             \
    return __builtin_astype((U##n)(__builtin_astype(mul_hi(x, y), U##n) + __builtin_astype(z, U##n)), T##n); \
  }
#define ALL_WIDTHS(T, U, bits, ...) \
  VECTORS_2(T, mul_hi, T, T)        \
  VECTORS_3(T, mad_sat, T, T, T)    \
  FOR_WIDTHS(MAD_HI, T, U)
FOR_INTEGER_TYPES(ALL_WIDTHS)

// The arguments fit in 24 bits (otherwise the result is undefined), and a full multiplication is at least as fast. It is computed unsigned,
// because the product may not fit in an int, whose overflow would be undefined.
#define MUL24(n, T)                                                                                       \
  T##n OVERLOAD mul24(T##n x, T##n y) {                                                                   \
    return __builtin_astype(__builtin_astype(x, uint##n) * __builtin_astype(y, uint##n), T##n);           \
  }                                                                                                       \
  T##n OVERLOAD mad24(T##n x, T##n y, T##n z) {                                                           \
    return __builtin_astype(__builtin_astype(mul24(x, y), uint##n) + __builtin_astype(z, uint##n), T##n); \
  }
FOR_WIDTHS(MUL24, int)
FOR_WIDTHS(MUL24, uint)

#define UPSAMPLE(n, R, H, L, bits)                                \
  R##n OVERLOAD upsample(H##n high, L##n low) {                   \
    return (CONVERT##n(high, R) << (R)bits) | CONVERT##n(low, R); \
  }
FOR_WIDTHS(UPSAMPLE, short, char, uchar, 8)
FOR_WIDTHS(UPSAMPLE, ushort, uchar, uchar, 8)
FOR_WIDTHS(UPSAMPLE, int, short, ushort, 16)
FOR_WIDTHS(UPSAMPLE, uint, ushort, ushort, 16)
FOR_WIDTHS(UPSAMPLE, long, int, uint, 32)
FOR_WIDTHS(UPSAMPLE, ulong, uint, uint, 32)
