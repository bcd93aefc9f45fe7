// SPDX-License-Identifier: Apache-2.0
// Explicit conversions (OpenCL C 6.4.3) to the floating-point type TO, one module for each. The language's own conversions implement the
// default rounding, to nearest, and every rounding mode of an exact conversion.
#include "library.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
typedef PASTE(TO, 2) TO2;
typedef PASTE(TO, 3) TO3;
typedef PASTE(TO, 4) TO4;
typedef PASTE(TO, 8) TO8;
typedef PASTE(TO, 16) TO16;
#define NAME(n, suffix) PASTE(PASTE(convert_, PASTE(TO, n)), suffix)

#define NEAREST(n, FROM, suffix) \
  TO##n OVERLOAD NAME(n, suffix)(FROM##n x) { return CONVERT##n(x, TO); }
#define TO_NEAREST(FROM) FOR_WIDTHS(NEAREST, FROM, ) FOR_WIDTHS(NEAREST, FROM, _rte)

#define DIRECTED_VECTOR(n, FROM, suffix)      \
  TO##n OVERLOAD NAME(n, suffix)(FROM##n x) { \
    TO##n r;                                  \
    EACH(n, r[i] = NAME(, suffix)(x[i]))      \
    return r;                                 \
  }
// `instruction` converts x to r with the rounding mode `nv`.
#define DIRECTED(FROM, suffix, instruction) \
  TO OVERLOAD NAME(, suffix)(FROM x) {      \
    TO r;                                   \
    instruction;                            \
    return r;                               \
  }                                         \
  FOR_VECTOR_WIDTHS(DIRECTED_VECTOR, FROM, suffix)

#define CVT(nv, FROM_NAME, constraint, FROM) \
  __asm__("cvt." nv "." TO_NAME "." FROM_NAME " %0, %1;" : TO_CONSTRAINT(r) : constraint(x))
#define ROUNDED(FROM, FROM_NAME, constraint)                   \
  TO_NEAREST(FROM)                                             \
  DIRECTED(FROM, _rtz, CVT("rz", FROM_NAME, constraint, FROM)) \
  DIRECTED(FROM, _rtp, CVT("rp", FROM_NAME, constraint, FROM)) \
  DIRECTED(FROM, _rtn, CVT("rm", FROM_NAME, constraint, FROM))
#define EXACT(FROM)               \
  TO_NEAREST(FROM)                \
  FOR_WIDTHS(NEAREST, FROM, _rtz) \
  FOR_WIDTHS(NEAREST, FROM, _rtp) \
  FOR_WIDTHS(NEAREST, FROM, _rtn)

EXACT(char)
EXACT(uchar)
EXACT(half)

#if TO_BITS == 16
#define TO_NAME "f16"
#define TO_CONSTRAINT "=h"
ROUNDED(short, "s16", "h")
ROUNDED(ushort, "u16", "h")
ROUNDED(float, "f32", "f")
#else
EXACT(short)
EXACT(ushort)
EXACT(float)
#endif

#if TO_BITS == 32
#define TO_NAME "f32"
#define TO_CONSTRAINT "=f"
#endif
#if TO_BITS == 64
#define TO_NAME "f64"
#define TO_CONSTRAINT "=d"
EXACT(int)
EXACT(uint)
EXACT(double)
#else
ROUNDED(int, "s32", "r")
ROUNDED(uint, "u32", "r")
ROUNDED(double, "f64", "d")
#endif

ROUNDED(long, "s64", "l")
ROUNDED(ulong, "u64", "l")
