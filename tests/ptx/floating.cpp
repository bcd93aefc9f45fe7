// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>

#include "form.h"

namespace clcuda::ptx::testing {
namespace {

using u64 = std::uint64_t;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const u64 kNan32 = 0x7fc00000;
const u64 kSubnormal = 1;

// The host's arithmetic in another rounding mode; volatile keeps it between the two changes of mode.
template <typename T, typename Operation>
T rounded(int mode, Operation operation, T a, T b, T c = 0) {
  volatile T x = a, y = b, z = c;
  std::fesetround(mode);
  volatile T result = operation(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

TEST(Floating, Nearest) {
  Form("add.f32 %d, %a, %b;", {32, 32}, 32).any_nan().matches([](u64 a, u64 b, u64) {
    return bits(single(a) + single(b));
  });
  Form("sub.rn.f64 %d, %a, %b;", {64, 64}, 64).any_nan().matches([](u64 a, u64 b, u64) {
    return bits(twice(a) - twice(b));
  });
  Form("mul.f32 %d, %a, %b;", {32, 32}, 32).any_nan().matches([](u64 a, u64 b, u64) {
    return bits(single(a) * single(b));
  });
  Form("fma.rn.f32 %d, %a, %b, %c;", {32, 32, 32}, 32).any_nan().matches([](u64 a, u64 b, u64 c) {
    return bits(std::fma(single(a), single(b), single(c)));
  });
  Form("fma.rn.f64 %d, %a, %b, %c;", {64, 64, 64}, 64).any_nan().matches([](u64 a, u64 b, u64 c) {
    return bits(std::fma(twice(a), twice(b), twice(c)));
  });
  Form("div.rn.f32 %d, %a, %b;", {32, 32}, 32).any_nan().matches([](u64 a, u64 b, u64) {
    return bits(single(a) / single(b));
  });
  Form("sqrt.rn.f64 %d, %a;", {64}, 64).any_nan().matches([](u64 a, u64, u64) {
    return bits(std::sqrt(twice(a)));
  });
  Form("rcp.rn.f32 %d, %a;", {32}, 32).gives({bits(4.0f)}, bits(0.25f)).gives({0x80000000}, bits(-kInfinity));
  // Not contracted: a·b + c in two instructions is rounded twice.
  Form("mul.rn.f32 %d, %a, %b; add.rn.f32 %d, %d, %c;", {32, 32, 32}, 32)
      .any_nan()
      .matches([](u64 a, u64 b, u64 c) {
        volatile float product = single(a) * single(b);
        return bits(product + single(c));
      });
}

TEST(Floating, DirectedRounding) {
  const std::pair<const char*, int> modes[] = {{"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};
  for (const auto& [name, mode] : modes) {
    const std::string suffix = std::string(".") + name;
    Form("add" + suffix + ".f32 %d, %a, %b;", {32, 32}, 32).any_nan().matches([m = mode](u64 a, u64 b, u64) {
      return bits(rounded<float>(m, [](float x, float y, float) { return x + y; }, single(a), single(b)));
    });
    Form("mul" + suffix + ".f64 %d, %a, %b;", {64, 64}, 64).any_nan().matches([m = mode](u64 a, u64 b, u64) {
      return bits(rounded<double>(m, [](double x, double y, double) { return x * y; }, twice(a), twice(b)));
    });
    Form("fma" + suffix + ".f32 %d, %a, %b, %c;", {32, 32, 32}, 32)
        .any_nan()
        .matches([m = mode](u64 a, u64 b, u64 c) {
          return bits(rounded<float>(
              m, [](float x, float y, float z) { return std::fma(x, y, z); }, single(a), single(b),
              single(c)));
        });
    Form("div" + suffix + ".f64 %d, %a, %b;", {64, 64}, 64).any_nan().matches([m = mode](u64 a, u64 b, u64) {
      return bits(rounded<double>(m, [](double x, double y, double) { return x / y; }, twice(a), twice(b)));
    });
    Form("sqrt" + suffix + ".f32 %d, %a;", {32}, 32).any_nan().matches([m = mode](u64 a, u64, u64) {
      return bits(rounded<float>(m, [](float x, float, float) { return std::sqrt(x); }, single(a), 0));
    });
  }
}

TEST(Floating, FlushAndSaturate) {
  Form("add.ftz.f32 %d, %a, %b;", {32, 32}, 32)
      .gives({kSubnormal, 0}, 0)
      .gives({0x80000001, 0x80000000}, 0x80000000)
      .gives({bits(1.0f), bits(2.0f)}, bits(3.0f));
  Form("mul.ftz.f32 %d, %a, %b;", {32, 32}, 32)
      .gives({0x00800000, bits(0.5f)}, 0)
      .gives({0x80800000, bits(0.5f)}, 0x80000000);
  Form("add.sat.f32 %d, %a, %b;", {32, 32}, 32)
      .gives({bits(0.75f), bits(0.75f)}, bits(1.0f))
      .gives({bits(-1.0f), bits(0.5f)}, 0)
      .gives({kNan32, 0}, 0);
  Form("abs.ftz.f32 %d, %a;", {32}, 32).gives({0x80000001}, 0).gives({bits(-2.0f)}, bits(2.0f));
}

TEST(Floating, MinMax) {
  Form("min.f32 %d, %a, %b;", {32, 32}, 32)
      .gives({kNan32, bits(1.0f)}, bits(1.0f))
      .gives({0, 0x80000000}, 0x80000000)
      .gives({kNan32, kNan32}, 0x7fffffff)
      .gives({bits(1.0f), bits(2.0f)}, bits(1.0f));
  Form("max.f64 %d, %a, %b;", {64, 64}, 64)
      .gives({bits(1.0), bits(2.0)}, bits(2.0))
      .gives({0x8000000000000000, 0}, 0);
  Form("max.NaN.f32 %d, %a, %b;", {32, 32}, 32).gives({kNan32, bits(1.0f)}, 0x7fffffff);
  Form("min.xorsign.abs.f32 %d, %a, %b;", {32, 32}, 32).gives({bits(-3.0f), bits(2.0f)}, bits(-2.0f));
}

TEST(Floating, SignsAndClasses) {
  Form("neg.f32 %d, %a;", {32}, 32).gives({0}, 0x80000000);
  Form("copysign.f32 %d, %a, %b;", {32, 32}, 32).gives({bits(-1.0f), bits(2.0f)}, bits(-2.0f));
  Form("testp.finite.f32 %d, %a;", {32}, 1).gives({kNan32}, 0).gives({bits(kInfinity)}, 0).gives({0}, 1);
  Form("testp.infinite.f64 %d, %a;", {64}, 1).gives({0x7ff0000000000000}, 1).gives({0}, 0);
  Form("testp.notanumber.f32 %d, %a;", {32}, 1).gives({kNan32}, 1).gives({0}, 0);
  Form("testp.subnormal.f32 %d, %a;", {32}, 1).gives({kSubnormal}, 1).gives({0}, 0);
}

TEST(Floating, Approximate) {
  const auto near = [](const char* text, float input, float expected) {
    Form(std::string(text) +
             " abs.f32 %a, %a; sub.f32 %d, %d, %b; abs.f32 %d, %d; mul.f32 %a, %c, 0f35000000; max.f32 %a, "
             "%a, 0f35000000;"
             ".reg .pred %ok; setp.le.f32 %ok, %d, %a; selp.b32 %d, 1, 0, %ok;",
         {32, 32, 32}, 32)
        .gives({bits(input), bits(expected), bits(std::fabs(expected))}, 1);
  };
  for (const float x : {0.1f, 0.7f, 1.0f, 2.5f, 3.14f}) {
    near("sin.approx.f32 %d, %a;", x, std::sin(x));
    near("cos.approx.ftz.f32 %d, %a;", x, std::cos(x));
    near("ex2.approx.f32 %d, %a;", x, std::exp2(x));
    near("lg2.approx.f32 %d, %a;", x, std::log2(x));
    near("rcp.approx.ftz.f32 %d, %a;", x, 1 / x);
    near("rsqrt.approx.f32 %d, %a;", x, 1 / std::sqrt(x));
    near("tanh.approx.f32 %d, %a;", x, std::tanh(x));
  }
  Form("ex2.approx.ftz.f32 %d, %a;", {32}, 32)
      .gives({bits(-kInfinity)}, 0)
      .gives({bits(200.0f)}, bits(kInfinity));
  Form("lg2.approx.f32 %d, %a;", {32}, 32).gives({0}, bits(-kInfinity));
  Form("div.full.f32 %d, %a, %b;", {32, 32}, 32)
      .gives({bits(1.0f), 0}, bits(kInfinity))
      .gives({bits(6.0f), bits(3.0f)}, bits(2.0f));
}

TEST(Floating, Halves) {
  Form("add.f16 %d, %a, %b;", {16, 16}, 16)
      .gives({0x3c00, 0x3c00}, 0x4000)
      .gives({0x7bff, 0x7bff}, 0x7c00)
      .gives({0x0001, 0x0001}, 0x0002);
  Form("mul.f16x2 %d, %a, %b;", {32, 32}, 32).gives({0x40003c00, 0x42003c00}, 0x46003c00);
  Form("fma.rn.f16 %d, %a, %b, %c;", {16, 16, 16}, 16).gives({0x4000, 0x4200, 0x3c00}, 0x4700);
  Form("fma.rn.f16x2 %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({0x40004000, 0x42004200, 0x3c003c00}, 0x47004700);
  Form("neg.f16 %d, %a;", {16}, 16).gives({0x3c00}, 0xbc00);
  Form("add.rn.bf16 %d, %a, %b;", {16, 16}, 16).gives({0x3f80, 0x3f80}, 0x4000);
  // Rounded once: the product lies between two numbers, and a small addend decides.
  Form("fma.rn.bf16 %d, %a, %b, %c;", {16, 16, 16}, 16)
      .gives({0x3f81, 0x3fc0, 0x8d80}, 0x3fc1)
      .gives({0x3f81, 0x3fc0, 0x0d80}, 0x3fc2)
      .gives({0xbf81, 0x3fc0, 0x0d80}, 0xbfc1)
      .gives({0x3f80, 0x7f80, 0x0d80}, 0x7f80);
  Form("fma.rn.bf16x2 %d, %a, %b, %c;", {32, 32, 32}, 32)
      .gives({0x3f813f81, 0x3fc03fc0, 0x8d800d80}, 0x3fc13fc2);
  Form("max.f16x2 %d, %a, %b;", {32, 32}, 32).gives({0x3c004000, 0x40003c00}, 0x40004000);
}

}  // namespace
}  // namespace clcuda::ptx::testing
