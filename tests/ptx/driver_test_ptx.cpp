// SPDX-License-Identifier: Apache-2.0
#include "driver_test.h"

namespace clcuda::test {

const char kTestPtx[] = R"(
.version 7.8
.target sm_90
.address_size 64

.visible .global .align 4 .u32 table[4] = {11, 22, 33, 44};
.extern .shared .align 16 .b8 dynamic[];

.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %d<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [n];
  setp.ge.u32 %p, %r4, %r5;
  @%p bra done;
  ld.param.u64 %d1, [a];
  ld.param.u64 %d2, [b];
  ld.param.u64 %d3, [c];
  mul.wide.u32 %d4, %r4, 4;
  add.s64 %d1, %d1, %d4;
  add.s64 %d2, %d2, %d4;
  add.s64 %d3, %d3, %d4;
  ld.global.u32 %r6, [%d1];
  ld.global.u32 %r7, [%d2];
  add.u32 %r6, %r6, %r7;
  st.global.u32 [%d3], %r6;
done:
  ret;
}

.visible .entry store(.param .u64 address, .param .u32 value)
{
  .reg .b32 %r1;
  .reg .b64 %d1;
  ld.param.u64 %d1, [address];
  ld.param.u32 %r1, [value];
  st.global.u32 [%d1], %r1;
  ret;
}

.visible .entry count(.param .u64 counter)
{
  .reg .b32 %r1;
  .reg .b64 %d1;
  ld.param.u64 %d1, [counter];
  atom.global.add.u32 %r1, [%d1], 1;
  ret;
}

.visible .entry wait_for(.param .u64 flag)
{
  .reg .pred %p;
  .reg .b32 %r1;
  .reg .b64 %d1;
  ld.param.u64 %d1, [flag];
again:
  atom.global.add.u32 %r1, [%d1], 0;
  setp.eq.u32 %p, %r1, 0;
  @%p bra again;
  ret;
}

.visible .entry read_table(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %d<5>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  mov.u64 %d3, table;
  add.s64 %d4, %d3, %d2;
  ld.global.u32 %r2, [%d4];
  add.s64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r2;
  ret;
}

.visible .entry last_dynamic(.param .u64 out, .param .u32 offset)
{
  .reg .b32 %r<4>;
  .reg .b64 %d1;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [offset];
  mov.u32 %r2, dynamic;
  add.u32 %r2, %r2, %r1;
  st.shared.u32 [%r2], 77;
  ld.shared.u32 %r3, [%r2];
  st.global.u32 [%d1], %r3;
  ret;
}

.visible .entry trapping()
{
  trap;
  ret;
}

.visible .entry empty()
{
  ret;
}

.visible .entry fixed() .reqntid 64, 1, 1
{
  ret;
}

.visible .entry limited() .maxntid 16, 4, 2 .minnctapersm 1 .maxnreg 64 .maxclusterrank 8
{
  ret;
}
)";

}  // namespace clcuda::test
