// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "form.h"

namespace clcuda::ptx::testing {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

TEST(Bits, Logic) {
  Form("and.b64 %d, %a, %b;", {64, 64}, 64).matches([](u64 a, u64 b, u64) { return a & b; });
  Form("xor.pred %d, %a, %b;", {1, 1}, 1).gives({1, 1}, 0).gives({1, 0}, 1);
  Form("not.b16 %d, %a;", {16}, 16).gives({0x0f0f}, 0xf0f0);
  Form("cnot.b32 %d, %a;", {32}, 32).gives({0}, 1).gives({5}, 0);
  Form("lop3.b32 %d, %a, %b, %c, 0x96;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return a ^ b ^ c;
  });
  Form("lop3.b32 %d, %a, %b, %c, 0xca;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return (a & b) | (~a & c);
  });
}

TEST(Bits, ShiftsClampAtTheWidth) {
  Form("shl.b32 %d, %a, %b;", {32, 32}, 32)
      .gives({1, 32}, 0)
      .gives({1, 31}, 0x80000000)
      .matches([](u64 a, u64 b, u64) { return b > 31 ? 0 : u32(a << b); });
  Form("shr.u64 %d, %a, %b;", {64, 32}, 64).matches([](u64 a, u64 b, u64) { return b > 63 ? 0 : a >> b; });
  Form("shr.s32 %d, %a, %b;", {32, 32}, 32).gives({0x80000000, 99}, ~0u).matches([](u64 a, u64 b, u64) {
    return u32(s32(a) >> (b > 31 ? 31 : b));
  });
  Form("shr.s16 %d, %a, %b;", {16, 32}, 16).gives({0x8000, 15}, 0xffff).gives({0x8000, 200}, 0xffff);
  Form("shf.l.wrap.b32 %d, %a, %b, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32((b << 32 | a) << (c & 31) >> 32);
  });
  Form("shf.r.wrap.b32 %d, %a, %b, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32((b << 32 | a) >> (c & 31));
  });
  Form("shf.l.clamp.b32 %d, %a, %b, %c;", {32, 32, 32}, 32).gives({5, 6, 32}, 5).gives({5, 6, 99}, 5);
  Form("shf.r.clamp.b32 %d, %a, %b, %c;", {32, 32, 32}, 32).gives({5, 6, 32}, 6).gives({5, 6, 0}, 5);
}

TEST(Bits, Counting) {
  Form("popc.b64 %d, %a;", {64}, 32).matches([](u64 a, u64, u64) { return u64(std::popcount(a)); });
  Form("clz.b32 %d, %a;", {32}, 32).gives({0}, 32).matches([](u64 a, u64, u64) {
    return u64(std::countl_zero(u32(a)));
  });
  Form("bfind.u32 %d, %a;", {32}, 32).gives({0}, ~0u).gives({1}, 0).gives({0x80000000}, 31);
  Form("bfind.s32 %d, %a;", {32}, 32).gives({~0u}, ~0u).gives({0}, ~0u).gives({0xfffffff0}, 3);
  Form("bfind.shiftamt.u64 %d, %a;", {64}, 32).gives({1}, 63).gives({0}, ~0u);
  Form("brev.b32 %d, %a;", {32}, 32).gives({1}, 0x80000000).gives({0x12345678}, 0x1e6a2c48);
  Form("fns.b32 %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({0xaaaaaaaa, 3, 1}, 3)
      .gives({0xaaaaaaaa, 3, u32(-1)}, 3)
      .gives({0xaaaaaaaa, 3, 2}, 5)
      .gives({0xaaaaaaaa, 3, 17}, ~0u);
}

u64 extract(u64 a, u64 b, u64 c, int width, bool is_signed) {
  const int position = b & 255, length = c & 255, top = width - 1;
  u64 sign = 0;
  if (is_signed && length) sign = a >> std::min(position + length - 1, top) & 1;
  u64 result = 0;
  for (int i = 0; i <= top; ++i) {
    const u64 bit = i < length && position + i <= top ? a >> (position + i) & 1 : sign;
    result |= bit << i;
  }
  return result;
}

TEST(Bits, Fields) {
  Form("bfe.u32 %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({0xabcd1234, 8, 8}, 0x12)
      .matches([](u64 a, u64 b, u64 c) { return extract(a, b, c, 32, false); });
  Form("bfe.s32 %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({0x8000, 8, 8}, 0xffffff80)
      .matches([](u64 a, u64 b, u64 c) { return extract(a, b, c, 32, true); });
  Form("bfe.s64 %d, %a, %b, %c;", {64, 32, 32}, 64).matches([](u64 a, u64 b, u64 c) {
    return extract(a, b, c, 64, true);
  });
  Form("bfi.b32 %d, %a, %b, %c, 8;", {32, 32, 32}, 32)
      .gives({0xff, 0, 4}, 0xff0)
      .gives({0xff, 1, 28}, 0xf0000001)
      .gives({0xff, 7, 40}, 7);
  Form("bmsk.clamp.b32 %d, %a, %b;", {32, 32}, 32).gives({4, 8}, 0xff0).gives({0, 32}, ~0u).gives({40, 3}, 0);
  Form("szext.clamp.s32 %d, %a, %b;", {32, 32}, 32)
      .gives({0xff, 8}, ~0u)
      .gives({0x7f, 8}, 0x7f)
      .gives({5, 0}, 0);
}

TEST(Bits, PermuteBytes) {
  const auto model = [](u64 a, u64 b, u64 c) {
    const u64 both = b << 32 | a;
    u64 result = 0;
    for (int i = 0; i < 4; ++i) {
      const u64 nibble = c >> 4 * i;
      u64 byte = both >> 8 * (nibble & 7) & 255;
      if (nibble & 8) byte = byte & 128 ? 255 : 0;
      result |= byte << 8 * i;
    }
    return result;
  };
  Form("prmt.b32 %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({0x03020100, 0x07060504, 0x7531}, 0x07050301)
      .matches(model);
  Form("prmt.b32.f4e %d, %a, %b, %c;", {32, 32, 32}, 32).gives({0x03020100, 0x07060504, 2}, 0x05040302);
  Form("prmt.b32.b4e %d, %a, %b, %c;", {32, 32, 32}, 32).gives({0x03020100, 0x07060504, 1}, 0x06070001);
  Form("prmt.b32.rc8 %d, %a, %b, %c;", {32, 32, 32}, 32).gives({0x03020100, 0, 2}, 0x02020202);
  Form("prmt.b32.rc16 %d, %a, %b, %c;", {32, 32, 32}, 32).gives({0x03020100, 0, 1}, 0x03020302);
  Form("prmt.b32.ecl %d, %a, %b, %c;", {32, 32, 32}, 32).gives({0x03020100, 0, 2}, 0x03020202);
  Form("prmt.b32.ecr %d, %a, %b, %c;", {32, 32, 32}, 32).gives({0x03020100, 0, 1}, 0x01010100);
}

}  // namespace
}  // namespace clcuda::ptx::testing
