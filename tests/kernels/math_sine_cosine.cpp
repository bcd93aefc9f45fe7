// SPDX-License-Identifier: Apache-2.0
// The compiler replaces the sine and the cosine of one angle by a function that computes both (merge_sine_cosine.h): the results must be
// those of the two functions in kernels of their own, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "device_program.h"
#include "support/opencl.h"

namespace clcuda::test {
namespace {

constexpr std::size_t kCount = 1 << 14;

// Any bits, ordinary angles, and the special ones.
template <class Float, class Bits>
std::vector<Float> angles() {
  std::vector<Float> x(kCount);
  auto& random = ::test::random_engine();
  std::uniform_real_distribution<Float> ordinary(-100, 100);
  for (std::size_t i = 0; i < kCount; ++i)
    x[i] = i % 2 ? ordinary(random) : std::bit_cast<Float>(static_cast<Bits>(random()));
  using Limits = std::numeric_limits<Float>;
  const Float special[] = {Float{0},
                           -Float{0},
                           Limits::infinity(),
                           -Limits::infinity(),
                           Limits::quiet_NaN(),
                           Limits::denorm_min(),
                           -Limits::min(),
                           Limits::max()};
  std::copy(std::begin(special), std::end(special), x.begin());
  return x;
}

template <class Float, class Bits>
void compare(const std::string& type, std::size_t width) {
  SCOPED_TRACE(type);
  const std::string id = "size_t i = get_global_id(0); ",
                    in = "(global " + type + "* x, global " + type + "* ";
  DeviceProgram program("kernel void sines" + in + "s) { " + id + "s[i] = sin(x[i]); }\n" +
                            "kernel void cosines" + in + "c) { " + id + "c[i] = cos(x[i]); }\n" +
                            "kernel void both" + in + "s, global " + type + "* c) { " + id + type +
                            " a = x[i]; s[i] = sin(a); c[i] = cos(a); }\n",
                        "-cl-std=CL3.0");
  std::vector<Float> x = angles<Float, Bits>(), s(kCount), c(kCount), s2(kCount), c2(kCount);
  const auto range = Range{1, {kCount / width, 1, 1}, {64, 1, 1}};
  program.run("sines", range, {x, s});
  program.run("cosines", range, {x, c});
  program.run("both", range, {x, s2, c2});
  const auto same = [](Float a, Float b) { return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b); };
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(same(s[i], s2[i])) << "sin(" << x[i] << ") is " << s[i] << " or " << s2[i];
    ASSERT_TRUE(same(c[i], c2[i])) << "cos(" << x[i] << ") is " << c[i] << " or " << c2[i];
    if (std::fabs(x[i]) < 100)
      ASSERT_NEAR(static_cast<double>(s2[i]), std::sin(static_cast<double>(x[i])), 1e-6) << x[i];
  }
}

TEST(MathSineCosine, OfOneAngle) {
  for (const unsigned width : {1, 2, 4, 8, 16})
    compare<float, std::uint32_t>(width == 1 ? "float" : "float" + std::to_string(width), width);
}

TEST(MathSineCosine, OfOneAngleInDouble) {
  if (!device_has_extension("cl_khr_fp64")) GTEST_SKIP() << "the device has no double";
  for (const unsigned width : {1, 2, 4, 8, 16})
    compare<double, std::uint64_t>(width == 1 ? "double" : "double" + std::to_string(width), width);
}

// The angle is itself a sine or a cosine.
TEST(MathSineCosine, OfEachOther) {
  DeviceProgram program(
      "kernel void k(global float* x, global float* out) {\n"
      "  size_t i = get_global_id(0); float s = sin(x[i]), c = cos(x[i]);\n"
      "  out[i] = sin(s) + 2 * cos(s) + 4 * sin(c) + 8 * cos(c); }\n",
      "-cl-std=CL3.0");
  std::vector<float> x(kCount), found(kCount);
  std::uniform_real_distribution<float> ordinary(-100, 100);
  for (float& each : x) each = ordinary(::test::random_engine());
  program.run("k", {1, {kCount, 1, 1}, {64, 1, 1}}, {x, found});
  for (std::size_t i = 0; i < kCount; ++i) {
    const double s = std::sin(double{x[i]}), c = std::cos(double{x[i]});
    ASSERT_NEAR(double{found[i]}, std::sin(s) + 2 * std::cos(s) + 4 * std::sin(c) + 8 * std::cos(c), 1e-5)
        << x[i];
  }
}

}  // namespace
}  // namespace clcuda::test
