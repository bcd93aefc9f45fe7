// SPDX-License-Identifier: Apache-2.0
// Explicit conversions (OpenCL C 6.4.3) to the integer type TO, one module for each. TO_LOW and TO_HIGH are its limits; REGISTER is the
// type to which the hardware converts floating-point numbers first, and CVT its name in LLVM's intrinsics ("i" in f2i).
#include "library.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define STRING_(x) #x
#define STRING(x) STRING_(x)
typedef PASTE(TO, 2) TO2;
typedef PASTE(TO, 3) TO3;
typedef PASTE(TO, 4) TO4;
typedef PASTE(TO, 8) TO8;
typedef PASTE(TO, 16) TO16;
#define NAME(n, suffix) PASTE(PASTE(convert_, PASTE(TO, n)), suffix)

// --- from integers: rounding modes have no effect.

#define ALL_MODES(M, n, FROM) M(n, FROM, ) M(n, FROM, _rte) M(n, FROM, _rtz) M(n, FROM, _rtp) M(n, FROM, _rtn)
#define WRAP(n, FROM, mode) \
  TO##n OVERLOAD NAME(n, mode)(FROM##n x) { return CONVERT##n(x, TO); }
#define SATURATE(n, FROM, mode) \
  TO##n OVERLOAD NAME(n, _sat##mode)(FROM##n x) { return CONVERT##n(CLAMP_##FROM(n, FROM, x), TO); }

// The part of TO's range that FROM also has, as a value of type FROM.
#define HIGHEST(FROM, limit) (FROM)((ulong)TO_HIGH < (ulong)limit ? TO_HIGH : limit)
#define LOWEST(FROM, limit) (FROM)((long)TO_LOW > (long)limit ? TO_LOW : limit)
#define CLAMP_BELOW(n, FROM, x, high) __builtin_elementwise_min(x, (FROM##n)HIGHEST(FROM, high))
#define CLAMP(n, FROM, x, low, high) \
  __builtin_elementwise_max(CLAMP_BELOW(n, FROM, x, high), (FROM##n)LOWEST(FROM, low))
#define CLAMP_char(n, FROM, x) CLAMP(n, FROM, x, CHAR_MIN, CHAR_MAX)
#define CLAMP_short(n, FROM, x) CLAMP(n, FROM, x, SHRT_MIN, SHRT_MAX)
#define CLAMP_int(n, FROM, x) CLAMP(n, FROM, x, INT_MIN, INT_MAX)
#define CLAMP_long(n, FROM, x) CLAMP(n, FROM, x, LONG_MIN, LONG_MAX)
#define CLAMP_uchar(n, FROM, x) CLAMP_BELOW(n, FROM, x, UCHAR_MAX)
#define CLAMP_ushort(n, FROM, x) CLAMP_BELOW(n, FROM, x, USHRT_MAX)
#define CLAMP_uint(n, FROM, x) CLAMP_BELOW(n, FROM, x, UINT_MAX)
#define CLAMP_ulong(n, FROM, x) CLAMP_BELOW(n, FROM, x, ULONG_MAX)

#define FROM_INTEGER(n, FROM) ALL_MODES(WRAP, n, FROM) ALL_MODES(SATURATE, n, FROM)
#define FROM_INTEGERS(FROM, U, bits, ...) FOR_WIDTHS(FROM_INTEGER, FROM)
FOR_INTEGER_TYPES(FROM_INTEGERS)

// --- from floating-point types: one instruction rounds and clamps to REGISTER. Its result for NaN depends on the types.

#define ROUND(mode, nv)                                                                      \
  REGISTER float_to##mode(float) __asm__("llvm.nvvm.f2" STRING(CVT) "." nv);                 \
  REGISTER double_to##mode(double) __asm__("llvm.nvvm.d2" STRING(CVT) "." nv);               \
  static inline REGISTER OVERLOAD rounded##mode(float x) { return float_to##mode(x); }       \
  static inline REGISTER OVERLOAD rounded##mode(half x) { return float_to##mode((float)x); } \
  static inline REGISTER OVERLOAD rounded##mode(double x) { return double_to##mode(x); }
ROUND(_rte, "rn")
ROUND(_rtz, "rz")
ROUND(_rtp, "rp")
ROUND(_rtn, "rm")

static inline TO saturated(REGISTER x) {
  return (TO)__builtin_elementwise_max(__builtin_elementwise_min(x, (REGISTER)TO_HIGH), (REGISTER)TO_LOW);
}

#define FROM_FLOAT_MODE(FROM, suffix, mode)                                                         \
  TO OVERLOAD NAME(, suffix)(FROM x) { return (TO)rounded##mode(x); }                               \
  TO OVERLOAD NAME(, _sat##suffix)(FROM x) { return x != x ? (TO)0 : saturated(rounded##mode(x)); } \
  FOR_VECTOR_WIDTHS(FROM_FLOAT_VECTOR, FROM, suffix)
#define FROM_FLOAT_VECTOR(n, FROM, suffix)          \
  TO##n OVERLOAD NAME(n, suffix)(FROM##n x) {       \
    TO##n r;                                        \
    EACH(n, r[i] = NAME(, suffix)(x[i]))            \
    return r;                                       \
  }                                                 \
  TO##n OVERLOAD NAME(n, _sat##suffix)(FROM##n x) { \
    TO##n r;                                        \
    EACH(n, r[i] = NAME(, _sat##suffix)(x[i]))      \
    return r;                                       \
  }
#define FROM_FLOAT(FROM, ...)       \
  FROM_FLOAT_MODE(FROM, , _rtz)     \
  FROM_FLOAT_MODE(FROM, _rte, _rte) \
  FROM_FLOAT_MODE(FROM, _rtz, _rtz) \
  FROM_FLOAT_MODE(FROM, _rtp, _rtp) \
  FROM_FLOAT_MODE(FROM, _rtn, _rtn)
FOR_FLOAT_TYPES(FROM_FLOAT)
