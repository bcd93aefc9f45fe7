// SPDX-License-Identifier: Apache-2.0
// Dot products of four bytes (cl_khr_integer_dot_product): one instruction on every chip.
#define OVERLOAD __attribute__((overloadable, const))

#define DP4A(name, R, kinds)                                                           \
  static inline R name(uint a, uint b) {                                               \
    R result;                                                                          \
    __asm__("dp4a." kinds " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(0)); \
    return result;                                                                     \
  }
DP4A(product_uu, uint, "u32.u32")
DP4A(product_ss, int, "s32.s32")
DP4A(product_us, int, "u32.s32")
DP4A(product_su, int, "s32.u32")

// Only the final addition may saturate; the sum of products always fits.
#define DOT(kinds, R, A, B)                                                                                  \
  R OVERLOAD dot_4x8packed_##kinds##_##R(uint a, uint b) { return product_##kinds(a, b); }                   \
  R OVERLOAD dot_acc_sat_4x8packed_##kinds##_##R(uint a, uint b, R sum) {                                    \
    return __builtin_elementwise_add_sat(product_##kinds(a, b), sum);                                        \
  }                                                                                                          \
  R OVERLOAD dot(A a, B b) { return product_##kinds(__builtin_astype(a, uint), __builtin_astype(b, uint)); } \
  R OVERLOAD dot_acc_sat(A a, B b, R sum) {                                                                  \
    return __builtin_elementwise_add_sat(                                                                    \
        product_##kinds(__builtin_astype(a, uint), __builtin_astype(b, uint)), sum);                         \
  }
DOT(uu, uint, uchar4, uchar4)
DOT(ss, int, char4, char4)
DOT(us, int, uchar4, char4)
DOT(su, int, char4, uchar4)
