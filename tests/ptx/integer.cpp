// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "form.h"

namespace clcuda::ptx::testing {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;
using u16 = std::uint16_t;
using s16 = std::int16_t;

s64 clamp32(s64 value) { return std::clamp<s64>(value, INT32_MIN, INT32_MAX); }

TEST(Integer, AddSub) {
  Form("add.s32 %d, %a, %b;", {32, 32}, 32)
      .gives({2, 3}, 5)
      .gives({~0u, 1}, 0)
      .gives({0x7fffffff, 1}, 0x80000000);
  Form("sub.u64 %d, %a, %b;", {64, 64}, 64).gives({2, 3}, ~0ull).matches([](u64 a, u64 b, u64) {
    return a - b;
  });
  Form("add.u16 %d, %a, %b;", {16, 16}, 16).matches([](u64 a, u64 b, u64) { return u16(a + b); });
  Form("add.sat.s32 %d, %a, %b;", {32, 32}, 32)
      .gives({0x7fffffff, 1}, 0x7fffffff)
      .matches([](u64 a, u64 b, u64) { return u32(clamp32(s64(s32(a)) + s32(b))); });
  Form("sub.sat.s32 %d, %a, %b;", {32, 32}, 32)
      .gives({0x80000000, 1}, 0x80000000)
      .matches([](u64 a, u64 b, u64) { return u32(clamp32(s64(s32(a)) - s32(b))); });
  Form("add.u16x2 %d, %a, %b;", {32, 32}, 32).gives({0xffff0001, 0x00010002}, 0x00000003);
}

TEST(Integer, Multiply) {
  Form("mul.lo.s32 %d, %a, %b;", {32, 32}, 32).matches([](u64 a, u64 b, u64) { return u32(a * b); });
  Form("mul.hi.s32 %d, %a, %b;", {32, 32}, 32).matches([](u64 a, u64 b, u64) {
    return u64(s64(s32(a)) * s32(b)) >> 32;
  });
  Form("mul.hi.u32 %d, %a, %b;", {32, 32}, 32).matches([](u64 a, u64 b, u64) { return a * b >> 32; });
  Form("mul.hi.s64 %d, %a, %b;", {64, 64}, 64).matches([](u64 a, u64 b, u64) {
    return u64(__int128(s64(a)) * s64(b) >> 64);
  });
  Form("mul.hi.u64 %d, %a, %b;", {64, 64}, 64).matches([](u64 a, u64 b, u64) {
    return u64(static_cast<unsigned __int128>(a) * b >> 64);
  });
  Form("mul.wide.s32 %d, %a, %b;", {32, 32}, 64).matches([](u64 a, u64 b, u64) {
    return u64(s64(s32(a)) * s32(b));
  });
  Form("mul.wide.u16 %d, %a, %b;", {16, 16}, 32).matches([](u64 a, u64 b, u64) { return a * b; });
  Form("mad.lo.s32 %d, %a, %b, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32(a * b + c);
  });
  Form("mad.hi.u32 %d, %a, %b, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32((a * b >> 32) + c);
  });
  Form("mad.wide.s32 %d, %a, %b, %c;", {32, 32, 64}, 64).matches([](u64 a, u64 b, u64 c) {
    return u64(s64(s32(a)) * s32(b)) + c;
  });
  Form("mad.hi.sat.s32 %d, %a, %b, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32(clamp32((s64(s32(a)) * s32(b) >> 32) + s32(c)));
  });
  Form("mul24.lo.s32 %d, %a, %b;", {32, 32}, 32).matches([](u64 a, u64 b, u64) {
    return u32((s64(s32(a << 8) >> 8) * (s32(b << 8) >> 8)));
  });
  Form("mul24.hi.u32 %d, %a, %b;", {32, 32}, 32).matches([](u64 a, u64 b, u64) {
    return (a & 0xffffff) * (b & 0xffffff) >> 16;
  });
}

TEST(Integer, DivideNeverTraps) {
  Form("div.s32 %d, %a, %b;", {32, 32}, 32)
      .gives({7, 0}, ~0u)
      .gives({0x80000000, ~0u}, 0x80000000)
      .matches([](u64 a, u64 b, u64) { return u32(b ? s64(s32(a)) / s32(b) : -1); });
  Form("rem.s32 %d, %a, %b;", {32, 32}, 32).gives({0x80000000, ~0u}, 0).matches([](u64 a, u64 b, u64) {
    return u32(b ? s64(s32(a)) % s32(b) : s32(a));
  });
  Form("div.u64 %d, %a, %b;", {64, 64}, 64).matches([](u64 a, u64 b, u64) { return b ? a / b : ~0ull; });
  Form("rem.u16 %d, %a, %b;", {16, 16}, 16).matches([](u64 a, u64 b, u64) { return b ? a % b : a; });
}

TEST(Integer, SignsAndOrder) {
  Form("abs.s32 %d, %a;", {32}, 32).gives({0x80000000}, 0x80000000).gives({~0u}, 1);
  Form("neg.s16 %d, %a;", {16}, 16).gives({0x8000}, 0x8000).gives({1}, 0xffff);
  Form("min.s32 %d, %a, %b;", {32, 32}, 32).matches([](u64 a, u64 b, u64) {
    return u32(std::min(s32(a), s32(b)));
  });
  Form("max.u64 %d, %a, %b;", {64, 64}, 64).matches([](u64 a, u64 b, u64) { return std::max(a, b); });
  Form("max.s16x2 %d, %a, %b;", {32, 32}, 32).gives({0x80000001, 0x7fff0002}, 0x7fff0002);
  Form("sad.s32 %d, %a, %b, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32((s32(a) < s32(b) ? b - a : a - b) + c);
  });
}

TEST(Integer, Carry) {
  // A 128-bit sum from 64-bit parts.
  Form(".reg .b64 %lo; add.cc.u64 %lo, %a, %b; addc.u64 %d, %c, 0;", {64, 64, 64}, 64)
      .matches([](u64 a, u64 b, u64 c) { return c + (a + b < a); });
  Form(".reg .b32 %lo; sub.cc.u32 %lo, %a, %b; subc.u32 %d, %c, 0;", {32, 32, 32}, 32)
      .matches([](u64 a, u64 b, u64 c) { return u32(c - (a < b)); });
  Form(".reg .b32 %lo; mad.lo.cc.u32 %lo, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;", {32, 32, 32}, 32)
      .matches([](u64 a, u64 b, u64 c) { return (a * b + c) >> 32; });
}

TEST(Integer, DotProducts) {
  Form("dp4a.s32.s32 %d, %a, %b, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    u32 sum = u32(c);
    for (int i = 0; i < 4; ++i) sum += u32(s32(std::int8_t(a >> 8 * i)) * std::int8_t(b >> 8 * i));
    return u64(sum);
  });
  Form("dp4a.u32.s32 %d, %a, %b, %c;", {32, 32, 32}, 32).gives({0xff, 0xff, 0}, u32(-255));
  Form("dp2a.hi.u32.u32 %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({0x00020003, 0x05070000, 1}, 2 * 5 + 3 * 7 + 1);
}

}  // namespace
}  // namespace clcuda::ptx::testing
