// SPDX-License-Identifier: Apache-2.0
// Video instructions, against models that follow the instruction set's own words: values of any sign in 64 bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "form.h"

namespace clcuda::ptx::testing {
namespace {

using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;

s64 part(u64 bits, unsigned first, unsigned width, bool is_signed) {
  const u64 value = bits >> first & ((u64{1} << width) - 1);
  return is_signed && value >> (width - 1) ? s64(value) - (s64{1} << width) : s64(value);
}

s64 clamp(s64 value, unsigned width, bool is_signed) {
  const s64 most = (s64{1} << (is_signed ? width - 1 : width)) - 1;
  return std::clamp(value, is_signed ? -most - 1 : 0, most);
}

u32 merged(u64 into, s64 value, unsigned first, unsigned width) {
  const u32 mask = u32(((u64{1} << width) - 1) << first);
  return (u32(into) & ~mask) | (u32(value) << first & mask);
}

using Operation = s64 (*)(s64, s64);
struct Named {
  const char* name;
  Operation compute;
};

const Named operations[] = {
    {"add", [](s64 a, s64 b) { return a + b; }},
    {"sub", [](s64 a, s64 b) { return a - b; }},
    {"absdiff", [](s64 a, s64 b) { return a < b ? b - a : a - b; }},
    {"min", [](s64 a, s64 b) { return std::min(a, b); }},
    {"max", [](s64 a, s64 b) { return std::max(a, b); }},
};
const Named average = {"avrg", [](s64 a, s64 b) { return (a + b + (a + b >= 0)) >> 1; }};
const Named comparisons[] = {
    {"eq", [](s64 a, s64 b) { return s64{a == b}; }}, {"ne", [](s64 a, s64 b) { return s64{a != b}; }},
    {"lt", [](s64 a, s64 b) { return s64{a < b}; }},  {"le", [](s64 a, s64 b) { return s64{a <= b}; }},
    {"gt", [](s64 a, s64 b) { return s64{a > b}; }},  {"ge", [](s64 a, s64 b) { return s64{a >= b}; }},
};

std::string type(bool is_signed) { return is_signed ? ".s32" : ".u32"; }

TEST(Video, PartsOfRegisters) {
  for (const Named& operation : operations) {
    for (int signs = 0; signs < 8; ++signs) {
      const bool d = signs & 1, a_signed = signs & 2, b_signed = signs & 4;
      const std::string types = type(d) + type(a_signed) + type(b_signed);
      const std::string name = std::string("v") + operation.name + types;
      const auto value = [=](u64 a, u64 b) {
        return operation.compute(part(a, 8, 8, a_signed), part(b, 16, 16, b_signed));
      };
      Form(name + " %d, %a.b1, %b.h1;", {32, 32}, 32).matches([=](u64 a, u64 b, u64) {
        return u32(value(a, b));
      });
      Form(name + ".sat %d, %a.b1, %b.h1;", {32, 32}, 32).matches([=](u64 a, u64 b, u64) {
        return u32(clamp(value(a, b), 32, d));
      });
      Form(name + ".sat.add %d, %a.b1, %b.h1, %c;", {32, 32, 32}, 32).matches([=](u64 a, u64 b, u64 c) {
        return u32(clamp(value(a, b), 32, d) + part(c, 0, 32, d));
      });
      Form(name + ".min %d, %a.b1, %b.h1, %c;", {32, 32, 32}, 32).matches([=](u64 a, u64 b, u64 c) {
        return u32(std::min(value(a, b), part(c, 0, 32, d)));
      });
      Form(name + ".sat %d.b2, %a.b1, %b.h1, %c;", {32, 32, 32}, 32).matches([=](u64 a, u64 b, u64 c) {
        return merged(c, clamp(value(a, b), 8, d), 16, 8);
      });
      Form(name + " %d.h0, %a.b1, %b.h1, %c;", {32, 32, 32}, 32).matches([=](u64 a, u64 b, u64 c) {
        return merged(c, value(a, b), 0, 16);
      });
    }
  }
  Form("vadd.u32.u32.u32.sat %d, %a, %b;", {32, 32}, 32).gives({~0u, 1}, ~0u);
  Form("vadd.s32.u32.s32 %d, %a, -1;", {32}, 32).gives({0}, ~0u);
}

TEST(Video, Comparisons) {
  for (const Named& comparison : comparisons) {
    const std::string name = std::string("vset.s32.u32.") + comparison.name;
    const auto value = [=](u64 a, u64 b) {
      return comparison.compute(part(a, 0, 8, true), part(b, 24, 8, false));
    };
    Form(name + " %d, %a.b0, %b.b3;", {32, 32}, 32).matches([=](u64 a, u64 b, u64) {
      return u32(value(a, b));
    });
    Form(name + ".max %d, %a.b0, %b.b3, %c;", {32, 32, 32}, 32).matches([=](u64 a, u64 b, u64 c) {
      return std::max(u32(value(a, b)), u32(c));
    });
    Form(name + " %d.h1, %a.b0, %b.b3, %c;", {32, 32, 32}, 32).matches([=](u64 a, u64 b, u64 c) {
      return merged(c, value(a, b), 16, 16);
    });
  }
}

TEST(Video, Shifts) {
  const auto clamped = [](u64 b) { return std::min<u64>(u32(b), 32); };
  Form("vshl.u32.u32.u32.clamp %d, %a, %b;", {32, 32}, 32).matches([=](u64 a, u64 b, u64) {
    return u32(a << clamped(b));
  });
  Form("vshl.s32.s32.u32.wrap %d, %a.h0, %b;", {32, 32}, 32).matches([](u64 a, u64 b, u64) {
    return u32(u64(part(a, 0, 16, true)) << (b & 31));
  });
  Form("vshr.s32.s32.u32.clamp.add %d, %a, %b, %c;", {32, 32, 32}, 32).matches([=](u64 a, u64 b, u64 c) {
    return u32((part(a, 0, 32, true) >> clamped(b)) + s64(c));
  });
  Form("vshr.u32.u32.u32.sat.wrap %d.b0, %a, %b, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return merged(c, clamp(s64(a >> (b & 31)), 8, false), 0, 8);
  });
}

TEST(Video, MultiplyAndAdd) {
  Form("vmad.u32.u32.u32 %d, %a.h0, %b.h1, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32((a & 0xffff) * (b >> 16) + c);
  });
  Form("vmad.s32.s32.u32.sat.shr7 %d, %a.h0, %b.b1, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    const s64 sum = part(a, 0, 16, true) * part(b, 8, 8, false) + part(c, 0, 32, true);
    return u32(clamp(sum >> 7, 32, true));
  });
  Form("vmad.u32.u32.u32.po.shr15 %d, %a.h1, %b.h0, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32(((a >> 16) * (b & 0xffff) + c + 1) >> 15);
  });
  Form("vmad.s32.u32.u32 %d, -%a.b0, %b.b0, %c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32(c - (a & 255) * (b & 255));
  });
  Form("vmad.s32.s32.s32 %d, %a.b0, %b.b0, -%c;", {32, 32, 32}, 32).matches([](u64 a, u64 b, u64 c) {
    return u32(part(a, 0, 8, true) * part(b, 0, 8, true) - part(c, 0, 32, true));
  });
}

struct Lanes {
  unsigned count;
  std::string from_a, from_b, mask;    // as modifiers
  std::vector<unsigned> a, b, masked;  // as numbers, from the lowest lane up
};

const Lanes shapes[] = {
    {2, "", "", "", {0, 1}, {2, 3}, {0, 1}},
    {2, ".h03", ".h21", ".h1", {3, 0}, {1, 2}, {1}},
    {4, "", "", "", {0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 2, 3}},
    {4, ".b7016", ".b5432", ".b320", {6, 1, 0, 7}, {2, 3, 4, 5}, {0, 2, 3}},
};

s64 lane(const Lanes& shape, u64 a, u64 b, unsigned number, bool is_signed) {
  const unsigned width = 32 / shape.count;
  return part(number < shape.count ? a : b, number % shape.count * width, width, is_signed);
}

// Both forms of an operation in lanes: into the lanes of the third source, and added to it.
void check_lanes(const Lanes& shape, const std::string& name, Operation compute, bool a_signed,
                 bool b_signed) {
  const std::string operands = " %d" + shape.mask + ", %a" + shape.from_a + ", %b" + shape.from_b + ", %c;";
  const auto value = [&, compute, a_signed, b_signed](u64 a, u64 b, unsigned i) {
    return compute(lane(shape, a, b, shape.a[i], a_signed), lane(shape, a, b, shape.b[i], b_signed));
  };
  const unsigned width = 32 / shape.count;
  Form(name + operands, {32, 32, 32}, 32).matches([&](u64 a, u64 b, u64 c) {
    for (const unsigned i : shape.masked) c = merged(c, value(a, b, i), i * width, width);
    return c;
  });
  Form(name + ".add" + operands, {32, 32, 32}, 32).matches([&](u64 a, u64 b, u64 c) {
    for (const unsigned i : shape.masked) c += u64(value(a, b, i));
    return u32(c);
  });
}

TEST(Video, Lanes) {
  for (const Lanes& shape : shapes) {
    const std::string count = std::to_string(shape.count);
    for (const bool a_signed : {false, true}) {
      const std::string types = type(a_signed) + type(!a_signed);
      for (const Named& operation : operations)
        check_lanes(shape, "v" + (operation.name + count) + ".s32" + types, operation.compute, a_signed,
                    !a_signed);
      check_lanes(shape, "vavrg" + count + ".u32" + types, average.compute, a_signed, !a_signed);
      for (const Named& comparison : comparisons)
        check_lanes(shape, "vset" + count + types + "." + comparison.name, comparison.compute, a_signed,
                    !a_signed);
    }
  }
  Form("vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({0x01ff0305, 0x04000105, 9}, 9 + 3 + 255 + 2);
  Form("vadd4.s32.s32.s32.sat %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({0x7f80017f, 0x01ff01ff, 0}, 0x7f80027e);
  Form("vsub2.u32.u32.u32.sat %d, %a, %b, %c;", {32, 32, 32}, 32).gives({0x00010005, 0x00020003, 0}, 2);
}

}  // namespace
}  // namespace clcuda::ptx::testing
