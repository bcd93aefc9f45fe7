// SPDX-License-Identifier: Apache-2.0
// cl_khr_extended_bit_ops. PTX's bit field instructions clamp position and length, so that an empty field at the upper end is defined;
// narrow types are computed in 32 bits.
#define OVERLOAD __attribute__((overloadable, const))

#define FIELD(name, W, suffix, constraint)                                   \
  static inline W insert_##name(W base, W field, uint offset, uint count) {  \
    W result;                                                                \
    __asm__("bfi.b" suffix " %0, %1, %2, %3, %4;"                            \
            : "=" constraint(result)                                         \
            : constraint(field), constraint(base), "r"(offset), "r"(count)); \
    return result;                                                           \
  }                                                                          \
  static inline W signed_##name(W base, uint offset, uint count) {           \
    W result;                                                                \
    __asm__("bfe.s" suffix " %0, %1, %2, %3;"                                \
            : "=" constraint(result)                                         \
            : constraint(base), "r"(offset), "r"(count));                    \
    return result;                                                           \
  }                                                                          \
  static inline W unsigned_##name(W base, uint offset, uint count) {         \
    W result;                                                                \
    __asm__("bfe.u" suffix " %0, %1, %2, %3;"                                \
            : "=" constraint(result)                                         \
            : constraint(base), "r"(offset), "r"(count));                    \
    return result;                                                           \
  }
FIELD(32, uint, "32", "r")
FIELD(64, ulong, "64", "l")

// T, the signed and unsigned types of its width, its width, and the type of the registers.
#define SCALAR(T, S, U, bits, W)                                          \
  T OVERLOAD bitfield_insert(T base, T field, uint offset, uint count) {  \
    return (T)insert_##bits((W)(U)base, (W)(U)field, offset, count);      \
  }                                                                       \
  S OVERLOAD bitfield_extract_signed(T base, uint offset, uint count) {   \
    return (S)signed_##bits((W)(U)base, offset, count);                   \
  }                                                                       \
  U OVERLOAD bitfield_extract_unsigned(T base, uint offset, uint count) { \
    return (U)unsigned_##bits((W)(U)base, offset, count);                 \
  }                                                                       \
  T OVERLOAD bit_reverse(T base) { return __builtin_elementwise_bitreverse(base); }

#define VECTOR(T, S, U, n)                                                        \
  T##n OVERLOAD bitfield_insert(T##n base, T##n field, uint offset, uint count) { \
    _Pragma("unroll") for (uint i = 0; i < n; ++i) base[i] =                      \
        bitfield_insert(base[i], field[i], offset, count);                        \
    return base;                                                                  \
  }                                                                               \
  S##n OVERLOAD bitfield_extract_signed(T##n base, uint offset, uint count) {     \
    S##n result;                                                                  \
    _Pragma("unroll") for (uint i = 0; i < n; ++i) result[i] =                    \
        bitfield_extract_signed(base[i], offset, count);                          \
    return result;                                                                \
  }                                                                               \
  U##n OVERLOAD bitfield_extract_unsigned(T##n base, uint offset, uint count) {   \
    U##n result;                                                                  \
    _Pragma("unroll") for (uint i = 0; i < n; ++i) result[i] =                    \
        bitfield_extract_unsigned(base[i], offset, count);                        \
    return result;                                                                \
  }                                                                               \
  T##n OVERLOAD bit_reverse(T##n base) { return __builtin_elementwise_bitreverse(base); }

#define TYPE(T, S, U, bits, W) \
  SCALAR(T, S, U, bits, W)     \
  VECTOR(T, S, U, 2) VECTOR(T, S, U, 3) VECTOR(T, S, U, 4) VECTOR(T, S, U, 8) VECTOR(T, S, U, 16)
#define WIDTH(S, U, bits, W) TYPE(S, S, U, bits, W) TYPE(U, S, U, bits, W)
WIDTH(char, uchar, 32, uint)
WIDTH(short, ushort, 32, uint)
WIDTH(int, uint, 32, uint)
WIDTH(long, ulong, 64, ulong)
