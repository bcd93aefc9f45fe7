// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "form.h"

namespace clcuda::ptx::testing {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

TEST(Compare, OrderedAndUnordered) {
  const u64 nan = 0x7fc00000, one = bits(1.0f), two = bits(2.0f);
  Form("setp.lt.f32 %d, %a, %b;", {32, 32}, 1).gives({one, two}, 1).gives({nan, one}, 0);
  Form("setp.ltu.f32 %d, %a, %b;", {32, 32}, 1).gives({two, one}, 0).gives({nan, one}, 1);
  Form("setp.ne.f32 %d, %a, %b;", {32, 32}, 1).gives({nan, nan}, 0).gives({one, two}, 1);
  Form("setp.neu.f32 %d, %a, %b;", {32, 32}, 1).gives({nan, nan}, 1).gives({one, one}, 0);
  Form("setp.num.f32 %d, %a, %b;", {32, 32}, 1).gives({one, two}, 1).gives({one, nan}, 0);
  Form("setp.nan.f64 %d, %a, %b;", {64, 64}, 1).gives({0x7ff8000000000000, 0}, 1);
  Form("setp.eq.ftz.f32 %d, %a, %b;", {32, 32}, 1).gives({1, 0}, 1);
}

TEST(Compare, Integers) {
  Form("setp.lt.s32 %d, %a, %b;", {32, 32}, 1).matches([](u64 a, u64 b, u64) {
    return u64(s32(a) < s32(b));
  });
  Form("setp.lt.u32 %d, %a, %b;", {32, 32}, 1).matches([](u64 a, u64 b, u64) { return u64(a < b); });
  Form("setp.hs.u64 %d, %a, %b;", {64, 64}, 1).matches([](u64 a, u64 b, u64) { return u64(a >= b); });
  Form("setp.eq.b16 %d, %a, %b;", {16, 16}, 1).gives({5, 5}, 1).gives({5, 6}, 0);
  Form("setp.lt.and.s32 %d, %a, %b, !%c;", {32, 32, 1}, 1).gives({1, 2, 0}, 1).gives({1, 2, 1}, 0);
  Form(".reg .pred %q; setp.lt.or.s32 %q|%d, %a, %b, %c;", {32, 32, 1}, 1)
      .gives({1, 2, 0}, 0)
      .gives({3, 2, 0}, 1)
      .gives({1, 2, 1}, 1);
  Form("set.gt.u32.s32 %d, %a, %b;", {32, 32}, 32).gives({5, 3}, ~0u).gives({3, 5}, 0);
  Form("set.lt.f32.f32 %d, %a, %b;", {32, 32}, 32).gives({bits(1.0f), bits(2.0f)}, bits(1.0f));
  Form("selp.b64 %d, %a, %b, %c;", {64, 64, 1}, 64).gives({7, 9, 1}, 7).gives({7, 9, 0}, 9);
  Form("slct.u32.s32 %d, %a, %b, %c;", {32, 32, 32}, 32).gives({7, 9, 0}, 7).gives({7, 9, ~0u}, 9);
}

TEST(Convert, FloatToIntegerSaturates) {
  Form("cvt.rzi.s32.f32 %d, %a;", {32}, 32)
      .gives({bits(-1.7f)}, u32(-1))
      .gives({bits(3e9f)}, 0x7fffffff)
      .gives({bits(-3e9f)}, 0x80000000)
      .gives({0x7fc00000}, 0);
  Form("cvt.rzi.u32.f32 %d, %a;", {32}, 32)
      .gives({bits(-1.7f)}, 0)
      .gives({bits(5e9f)}, ~0u)
      .gives({0x7fc00000}, 0);
  Form("cvt.rni.s32.f32 %d, %a;", {32}, 32).gives({bits(2.5f)}, 2).gives({bits(3.5f)}, 4);
  Form("cvt.rmi.s64.f64 %d, %a;", {64}, 64)
      .gives({bits(-1.5)}, u64(-2))
      .gives({bits(1e30)}, 0x7fffffffffffffff);
  Form("cvt.rpi.u16.f32 %d, %a;", {32}, 16).gives({bits(1.5f)}, 2).gives({bits(1e6f)}, 0xffff);
  Form("cvt.rzi.s8.f32 %d, %a;", {32}, 32).gives({bits(300.0f)}, 127).gives({bits(-300.0f)}, u32(-128));
}

TEST(Convert, IntegerToFloat) {
  Form("cvt.rn.f32.s32 %d, %a;", {32}, 32).matches([](u64 a, u64, u64) { return bits(float(s32(a))); });
  Form("cvt.rn.f32.u64 %d, %a;", {64}, 32).matches([](u64 a, u64, u64) { return bits(float(a)); });
  Form("cvt.rn.f64.s64 %d, %a;", {64}, 64).matches([](u64 a, u64, u64) { return bits(double(s64(a))); });
  for (const auto& [name, mode] : {std::pair{"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}})
    Form(std::string("cvt.") + name + ".f32.s32 %d, %a;", {32}, 32).matches([m = mode](u64 a, u64, u64) {
      std::fesetround(m);
      volatile s32 from = s32(a);
      volatile float result = float(from);
      std::fesetround(FE_TONEAREST);
      return bits(float(result));
    });
  Form("cvt.rn.f16.s32 %d, %a;", {32}, 16)
      .gives({1}, 0x3c00)
      .gives({2049}, 0x6800)
      .gives({70000}, 0x7c00)
      .gives({u32(-1)}, 0xbc00);
}

TEST(Convert, FloatToFloat) {
  Form("cvt.f64.f32 %d, %a;", {32}, 64).gives({bits(1.5f)}, bits(1.5));
  Form("cvt.rn.f32.f64 %d, %a;", {64}, 32).any_nan().matches([](u64 a, u64, u64) {
    return bits(float(twice(a)));
  });
  Form("cvt.rz.f32.f64 %d, %a;", {64}, 32)
      .gives({bits(1e300)}, 0x7f7fffff)
      .gives({bits(0.1)}, bits(0.1f) - 1);
  Form("cvt.rn.f16.f32 %d, %a;", {32}, 16)
      .gives({bits(1.0f)}, 0x3c00)
      .gives({bits(65520.0f)}, 0x7c00)
      .gives({bits(6e-8f)}, 1);
  Form("cvt.rz.f16.f32 %d, %a;", {32}, 16).gives({bits(65520.0f)}, 0x7bff).gives({bits(1.0009f)}, 0x3c00);
  Form("cvt.f32.f16 %d, %a;", {16}, 32).gives({0x3c00}, bits(1.0f)).gives({1}, bits(5.9604645e-8f));
  Form("cvt.rn.f16x2.f32 %d, %a, %b;", {32, 32}, 32).gives({bits(2.0f), bits(1.0f)}, 0x40003c00);
  Form("cvt.rn.bf16.f32 %d, %a;", {32}, 16).gives({bits(1.0f)}, 0x3f80);
  Form("cvt.rmi.f32.f32 %d, %a;", {32}, 32).gives({bits(-1.5f)}, bits(-2.0f));
  Form("cvt.sat.f32.f32 %d, %a;", {32}, 32).gives({bits(1.5f)}, bits(1.0f)).gives({0x7fc00000}, 0);
  Form("cvt.ftz.f64.f32 %d, %a;", {32}, 64).gives({1}, 0);
}

TEST(Convert, Integers) {
  Form("cvt.s64.s32 %d, %a;", {32}, 64).gives({~0u}, ~0ull);
  Form("cvt.u32.u8 %d, %a;", {32}, 32).gives({0x1ff}, 0xff);
  Form("cvt.s32.s8 %d, %a;", {32}, 32).gives({0x80}, 0xffffff80);
  Form("cvt.sat.u8.s32 %d, %a;", {32}, 32).gives({300}, 255).gives({u32(-5)}, 0);
  Form("cvt.sat.s16.u32 %d, %a;", {32}, 32).gives({70000}, 32767);
  Form("cvt.pack.sat.s16.s32 %d, %a, %b;", {32, 32}, 32).gives({70000, u32(-5)}, 0x7ffffffb);
  Form("cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({300, u32(-5), 0xaabb1234}, 0x1234ff00);
}

TEST(Convert, Moves) {
  Form("mov.b64 %d, {%a, %b};", {32, 32}, 64).gives({1, 2}, 0x200000001);
  Form(".reg .b32 %lo; mov.b64 {%lo, %d}, %a;", {64}, 32).gives({0x500000007}, 5);
  Form("mov.b64 {_, %d}, %a;", {64}, 32).gives({0x500000007}, 5);
  Form("mov.b32 %d, {%a, %b};", {16, 16}, 32).gives({1, 2}, 0x20001);
  Form("mov.u32 %d, %laneid;", {}, 32).gives({}, 0).gives({}, 1).gives({}, 2);
  Form("mov.u32 %d, %lanemask_lt;", {}, 32).gives({}, 0).gives({}, 1).gives({}, 3);
  Form("mov.f32 %d, 1.5;", {}, 32).gives({}, bits(1.5f));
  Form("mov.f64 %d, 0d3FF8000000000000;", {}, 64).gives({}, bits(1.5));
}

}  // namespace
}  // namespace clcuda::ptx::testing
