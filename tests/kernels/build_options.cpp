// SPDX-License-Identifier: Apache-2.0
// The effect of math build options (§5.8.6.2 and 5.8.6.3) on results. Their effect on instructions is tested in
// tests/compiler/math_options_test.cpp.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

std::mt19937_64& random_numbers() {
  static std::mt19937_64 random{std::random_device{}()};
  return random;
}

// Subnormal operands and results are flushed to zero with their sign, or are exact. Comparisons and classifications agree with that.
TEST(DenormsAreZero, InSinglePrecisionOnly) {
  const std::string source = R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global const float* in, global float* out, global double* d, global half* h) {
      const float x = in[0], y = in[1], one = in[2];
      *out++ = x * one; *out++ = x + x; *out++ = x - y; *out++ = y * 0.5f; *out++ = x / one > 0x1p-129f; *out++ = fma(x, one, x);
      *out++ = mad(y, 0.25f, 0.0f); *out++ = fabs(x); *out++ = fmax(x, -one); *out++ = fmin(one, x); *out++ = sqrt(x) > 0x1p-65f;
      *out++ = exp2(-140.0f * one) > 0x1p-141f; *out++ = ldexp(y, -2); *out++ = floor(-x); *out++ = (float)d[0]; *out++ = (float)d[1];
      *out++ = x > 0 ? 1.0f : 0.0f; *out++ = dot((float2)(x, 0), (float2)(one, 0)); *out++ = clamp(x, -one, one);
      *out++ = (x * one) * 0x1p100f; *out++ = mix(0.0f, x, one);
      d[1] *= 0x1p-700; d[2] = (double)(y * one);
      h[1] = h[0] * (half)one; h[2] = fmax(h[0], -h[0]); h[3] = h[0] > 0; h[4] = fma(h[0], (half)2, h[0]);
    })";
  const float x = 0x1.8p-128F, y = 0x1p-126F;
  const std::vector<float> exact = {x,         2 * x,     x - y, y / 2, 1, 2 * x,        y / 4,
                                    x,         x,         x,     1,     1, y / 4,        -1,
                                    0x1p-130F, 0x1p-140F, 1,     x,     x, x * 0x1p100F, x};
  for (const bool flush : {false, true}) {
    DeviceProgram program(source, std::string("-cl-std=CL3.0") + (flush ? " -cl-denorms-are-zero" : ""));
    std::vector<float> in = {x, y, 1}, out(exact.size(), 99);
    std::vector<double> d = {0x1p-130, 0x1p-140, 0};
    std::vector<Half> h = {from_bits<Half>(3), Half(9), Half(9), Half(9), Half(9)};
    program.run("k", {1, {1, 1, 1}, {1, 1, 1}}, {in, out, d, h});
    for (std::size_t i = 0; i < out.size(); ++i) {
      SCOPED_TRACE(i);
      if (!flush)
        EXPECT_EQ(out[i], exact[i]);
      else if (i == 2)
        EXPECT_EQ(out[i], -y);  // the difference is a normal number
      else
        EXPECT_EQ(out[i], 0.0F);
    }
    EXPECT_EQ(d[1], 0x1p-840);
    EXPECT_EQ(d[2], 0x1p-126);
    EXPECT_EQ(bits_of(h[1]), 3);
    EXPECT_EQ(bits_of(h[2]), 3);
    EXPECT_EQ(static_cast<float>(h[3]), 1);
    EXPECT_EQ(bits_of(h[4]), 9);
  }
}

TEST(CorrectlyRounded, DivisionAndSquareRoot) {
  const std::string operations =
      "kernel void k(global const float* a, global const float* b, global float* quotient, global float* "
      "root) {\n"
      "  size_t i = get_global_id(0);\n"
      "  if (i % 4 < 2) { quotient[i] = a[i] / b[i]; root[i] = sqrt(b[i]); }\n"
      "  else if (i % 4 == 2) { vstore2(vload2(0, a + i) / vload2(0, b + i), 0, quotient + i);\n"
      "    vstore2(sqrt(vload2(0, b + i)), 0, root + i); } }";
  DeviceProgram program(operations, "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt");
  std::vector<float> a = test_values<float>(1 << 16, random_numbers()), b = a, quotient(a.size()),
                     root(a.size());
  std::shuffle(b.begin(), b.end(), random_numbers());
  program.run("k", {1, {a.size(), 1, 1}, {64, 1, 1}}, {a, b, quotient, root});
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto same = [](float x, float y) { return bits_of(x) == bits_of(y) || (x != x && y != y); };
    ASSERT_TRUE(same(quotient[i], a[i] / b[i])) << a[i] << " / " << b[i] << " = " << quotient[i];
    ASSERT_TRUE(same(root[i], std::sqrt(b[i]))) << "sqrt(" << b[i] << ") = " << root[i];
  }
}

TEST(SinglePrecisionConstant, RoundsWhatHasNoSuffix) {
  const char* source =
      "kernel void k(global double* out) { out[0] = 0.1; out[1] = 1.0 / 3.0; out[2] = 0.1f; out[3] = 1e300; "
      "out[4] = sizeof(0.1); }";
  std::vector<double> out(5);
  DeviceProgram(source).run("k", Range{}, {out});
  EXPECT_EQ(out, (std::vector<double>{0.1, 1.0 / 3, 0.1F, 1e300, 8}));
  DeviceProgram single(source, "-cl-std=CL3.0 -cl-single-precision-constant");
  single.run("k", Range{}, {out});
  EXPECT_EQ(out[0], 0.1F);
  EXPECT_EQ(out[1], static_cast<double>(1.0F / 3.0F));
  EXPECT_EQ(out[2], 0.1F);
  EXPECT_EQ(out[3], HUGE_VAL);
}

// Products and sums of different expressions are rounded separately unless an option allows fusing, which is then still optional.
TEST(MadEnable, FusesAcrossStatementsOnlyWhereAllowed) {
  const char* source =
      "kernel void k(global const float* a, global const float* b, global const float* c, global float* out) "
      "{\n"
      "  size_t i = get_global_id(0); float product = a[i] * b[i]; out[i] = product + c[i]; }";
  constexpr std::size_t kCount = 4096;
  std::vector<float> a(kCount), b(kCount), c(kCount), out(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    a[i] = std::uniform_real_distribution(-2.0F, 2.0F)(random_numbers());
    b[i] = std::uniform_real_distribution(-2.0F, 2.0F)(random_numbers());
    c[i] = -a[i] * b[i] + (i % 2 ? 0.0F : 1.0F);
  }
  for (const char* option : {"", "-cl-opt-disable", "-cl-mad-enable"}) {
    DeviceProgram program(source, std::string("-cl-std=CL3.0 ") + option);
    program.run("k", {1, {kCount, 1, 1}, {64, 1, 1}}, {a, b, c, out});
    for (std::size_t i = 0; i < kCount; ++i) {
      const volatile float product = a[i] * b[i];
      const float apart = product + c[i], fused = std::fma(a[i], b[i], c[i]);
      ASSERT_TRUE(out[i] == apart || (option == std::string("-cl-mad-enable") && out[i] == fused))
          << option << " " << a[i] << " * " << b[i] << " + " << c[i] << " = " << out[i];
    }
  }
}

// -cl-opt-disable does not change results.
TEST(OptDisable, ChangesNoResult) {
  const char* source = R"(
    typedef struct { int4 v; float f; } Pair;
    int fold(const int* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s = s * 31 + p[i]; return s; }
    Pair make(int x) { Pair p = {(int4)(x, x + 1, x + 2, x + 3), x * 0.5f}; return p; }
    kernel void k(global int* out, global const int* in) {
      local int shared[64]; int own[8]; size_t l = get_local_id(0), i = get_global_id(0);
      shared[l] = in[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = 0; k < 8; ++k) own[k] = shared[(l * 5 + k) % 64];
      Pair p = make(in[i] & 1023);
      switch (in[i] & 3) { case 0: p.v = p.v.wzyx; break; case 1: p.v += 7; case 2: p.f += 1.0f; break; default: p.v.x = -1; }
      out[i] = fold(own, 8) + p.v.x * 3 + p.v.w + (int)p.f + work_group_reduce_add(in[i]) + popcount(in[i]);
    })";
  constexpr std::size_t kCount = 512;
  std::vector<cl_int> in(kCount), out(kCount), plain(kCount);
  for (cl_int& value : in) value = static_cast<cl_int>(random_numbers()());
  const Range range{1, {kCount, 1, 1}, {64, 1, 1}};
  DeviceProgram(source).run("k", range, {out, in});
  DeviceProgram(source, "-cl-std=CL3.0 -cl-opt-disable").run("k", range, {plain, in});
  EXPECT_EQ(out, plain);
  for (std::size_t i = 0; i < kCount; ++i) {
    cl_uint expected = 0, sum = 0;
    const std::size_t base = i / 64 * 64;
    for (std::size_t k = 0; k < 8; ++k)
      expected = expected * 31 + static_cast<cl_uint>(in[base + ((i % 64) * 5 + k) % 64]);
    for (std::size_t k = 0; k < 64; ++k) sum += static_cast<cl_uint>(in[base + k]);
    const cl_int x = in[i] & 1023, way = in[i] & 3;
    const cl_int first = way == 0 ? x + 3 : way == 1 ? x + 7 : way == 2 ? x : -1;
    const cl_int last = way == 0 ? x : way == 1 ? x + 10 : x + 3;
    const float f = static_cast<float>(x) * 0.5F + (way == 1 || way == 2 ? 1.0F : 0.0F);
    expected += static_cast<cl_uint>(first * 3 + last + static_cast<cl_int>(f)) + sum +
                static_cast<cl_uint>(std::popcount(static_cast<cl_uint>(in[i])));
    ASSERT_EQ(static_cast<cl_uint>(out[i]), expected) << i;
  }
}

}  // namespace
}  // namespace clcuda::test
