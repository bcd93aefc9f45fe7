// SPDX-License-Identifier: Apache-2.0
// Math functions with -cl-unsafe-math-optimizations and -cl-fast-relaxed-math on float, within the bounds for these options (OpenCL C 7.4).
// Errors of derived functions are bounded by those of the functions that define them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

using Number = long double;
constexpr Number kLn2 = 0.693147180559945309417232121458176568L;
const Number kTenth = std::log2(Number{10});

Number ulps(Number count, Number exact) {
  const int exponent = std::max(std::ilogb(std::fabs(exact)), -126);
  return count * std::ldexp(Number{1}, exponent - 23);
}
Number of_exp2(Number x, Number exact) { return ulps(3 + std::floor(std::fabs(2 * x)), exact); }
Number of_log(Number x, Number exact) {
  return x >= 0.5L && x <= 2 ? std::ldexp(Number{1}, -21) : ulps(3, exact);
}
// The error of exp2(y log2(|x|)) with approximate functions.
Number of_power(Number x, Number y, Number exact) {
  const Number logarithm = std::log2(std::fabs(x)), product = y * logarithm;
  const Number error = std::fabs(y) * of_log(std::fabs(x), logarithm) + ulps(0.5L, product);
  return std::fabs(exact) * kLn2 * error * 1.01L + of_exp2(product, exact);
}
Number of_tangent(Number x, Number exact) {
  return (1 + std::fabs(exact)) * std::ldexp(Number{1}, -11) / std::fabs(std::cos(x)) * 1.01L;
}
Number of_sine(Number, Number) { return std::ldexp(Number{1}, -11); }

struct Unary {
  const char* expression;  // of x
  float low, high;
  Number (*exact)(Number);
  Number (*most)(Number x, Number exact);  // bound of the absolute error
};
#define F1(expression) [](Number x) -> Number { return expression; }
#define MOST(expression) [](Number x, Number exact) -> Number { return (void)x, expression; }
const Unary kUnary[] = {
    {"sin(x)", -3.1415926f, 3.1415926f, F1(std::sin(x)), of_sine},
    {"cos(x)", -3.1415926f, 3.1415926f, F1(std::cos(x)), of_sine},
    {"tan(x)", -1.5f, 1.5f, F1(std::tan(x)), of_tangent},
    {"tanh(x)", -20, 20, F1(std::tanh(x)), MOST(ulps(8192, exact))},
    {"exp(x)", -80, 80, F1(std::exp(x)), of_exp2},
    {"exp2(x)", -120, 120, F1(std::exp2(x)), of_exp2},
    {"exp10(x)", -35, 35, F1(std::pow(Number{10}, x)),
     MOST(std::fabs(exact) * kLn2 * ulps(1, x* kTenth) + of_exp2(x * kTenth, exact))},
    {"log(x)", 0.4f, 2.5f, F1(std::log(x)), of_log},
    {"log(x)", 0.36f, 0.5f, F1(std::log(x)), of_log},
    {"log2(x)", 0.4f, 2.5f, F1(std::log2(x)), of_log},
    {"log10(x)", 0.4f, 2.5f, F1(std::log10(x)), of_log},
    {"log(x)", 2, 1e30f, F1(std::log(x)), of_log},
    {"log(x)", 1.2e-38f, 1e-36f, F1(std::log(x)), of_log},
    {"log2(x)", 2, 1e30f, F1(std::log2(x)), of_log},
    {"log10(x)", 2, 1e30f, F1(std::log10(x)), of_log},
    {"1.0f / x", 1e-18f, 1e18f, F1(1 / x), MOST(ulps(2.5L, exact))},
    {"sqrt(x)", 1e-30f, 1e30f, F1(std::sqrt(x)), MOST(ulps(3, exact))},
    {"rsqrt(x)", 1e-30f, 1e30f, F1(1 / std::sqrt(x)), MOST(ulps(2, exact))},
};

struct Binary {
  const char* expression;  // of x and y
  float low, high;         // of x
  Number (*exact)(Number, Number);
  Number (*most)(Number x, Number y, Number exact);
};
#define F2(expression) [](Number x, Number y) -> Number { return expression; }
const Binary kBinary[] = {
    {"x / y", 1e-18f, 1e18f, F2(x / y), [](Number, Number, Number exact) { return ulps(2.5L, exact); }},
    {"pow(x, y)", 0.1f, 10, F2(std::pow(x, y)), of_power},
    {"powr(x, y)", 0.1f, 10, F2(std::pow(x, y)), of_power},
    {"pow(x, rint(y))", -10, -0.1f, F2(std::pow(x, std::nearbyint(y))),
     [](Number x, Number y, Number exact) { return of_power(x, std::nearbyint(y), exact); }},
    {"pown(x, convert_int_rte(y))", -10, -0.1f, F2(std::pow(x, std::nearbyint(y))),
     [](Number x, Number y, Number exact) { return of_power(x, std::nearbyint(y), exact); }},
    {"pown(x, convert_int_rte(y))", 0.1f, 10, F2(std::pow(x, std::nearbyint(y))),
     [](Number x, Number y, Number exact) { return of_power(x, std::nearbyint(y), exact); }},
};

class MathRelaxed : public testing::TestWithParam<const char*> {
 protected:
  std::vector<float> between(float low, float high) {
    std::uniform_real_distribution<float> distribution(low, high);
    std::vector<float> values(kCount);
    for (float& value : values) value = distribution(random_);
    values.front() = low;
    values.back() = high;
    return values;
  }
  // The expression for each x and y, computed by scalars and by vectors of four, whose results must be equal.
  std::vector<float> results(const std::string& expression, std::vector<float>& x,
                             std::vector<float>& y) const {
    std::string of_vectors = expression;
    if (const auto at = of_vectors.find("convert_int"); at != of_vectors.npos)
      of_vectors.insert(at + 11, "4");
    DeviceProgram program(
        "kernel void one(global float* a, global float* b, global float* out) {\n"
        "  size_t i = get_global_id(0); float x = a[i], y = b[i]; out[i] = " +
            expression +
            ";\n}\nkernel void four(global float4* a, global float4* b, global float4* out) {\n"
            "  size_t i = get_global_id(0); float4 x = a[i], y = b[i]; out[i] = " +
            of_vectors + ";\n}\n",
        std::string("-cl-std=CL3.0 ") + GetParam());
    std::vector<float> scalars(kCount), vectors(kCount);
    program.run("one", {1, {kCount, 1, 1}, {64, 1, 1}}, {x, y, scalars});
    program.run("four", {1, {kCount / 4, 1, 1}, {64, 1, 1}}, {x, y, vectors});
    EXPECT_EQ(scalars, vectors) << expression;
    return scalars;
  }

  static constexpr std::size_t kCount = 1 << 14;
  std::mt19937_64 random_{std::random_device{}()};
};

TEST_P(MathRelaxed, OfOneArgument) {
  for (const Unary& function : kUnary) {
    std::vector<float> x = between(function.low, function.high), unused(kCount);
    const std::vector<float> found = results(function.expression, x, unused);
    for (std::size_t i = 0; i < kCount; ++i) {
      const Number exact = function.exact(x[i]);
      ASSERT_LE(std::fabs(found[i] - exact), function.most(x[i], exact))
          << function.expression << " of " << x[i] << " is " << found[i] << ", not " << exact;
    }
  }
}

TEST_P(MathRelaxed, OfTwoArguments) {
  for (const Binary& function : kBinary) {
    std::vector<float> x = between(function.low, function.high), y = between(-8, 8);
    const std::vector<float> found = results(function.expression, x, y);
    for (std::size_t i = 0; i < kCount; ++i) {
      const Number exact = function.exact(x[i], y[i]);
      ASSERT_LE(std::fabs(found[i] - exact), function.most(x[i], y[i], exact))
          << function.expression << " of " << x[i] << " and " << y[i] << " is " << found[i] << ", not "
          << exact;
    }
  }
}

TEST_P(MathRelaxed, OfTwoResults) {
  std::vector<float> x = between(-3.1415926f, 3.1415926f), sines(kCount), cosines(kCount);
  DeviceProgram program(
      "kernel void global_(global float4* x, global float4* s, global float4* c) {\n"
      "  size_t i = get_global_id(0); s[i] = sincos(x[i], c + i); }\n"
      "kernel void private_(global float* x, global float* s, global float* c) {\n"
      "  size_t i = get_global_id(0); float other; s[i] = sincos(x[i], &other); c[i] = other; }\n",
      std::string("-cl-std=CL3.0 ") + GetParam());
  for (const bool by_vectors : {false, true}) {
    const std::size_t count = by_vectors ? kCount / 4 : kCount;
    program.run(by_vectors ? "global_" : "private_", {1, {count, 1, 1}, {64, 1, 1}}, {x, sines, cosines});
    for (std::size_t i = 0; i < kCount; ++i) {
      ASSERT_LE(std::fabs(sines[i] - std::sin(Number{x[i]})), of_sine(0, 0)) << "of " << x[i];
      ASSERT_LE(std::fabs(cosines[i] - std::cos(Number{x[i]})), of_sine(0, 0)) << "of " << x[i];
    }
  }
}

// The table does not include double, whose bounds do not depend on the options.
TEST_P(MathRelaxed, DoubleIsNotRelaxed) {
  if (!device_has_extension("cl_khr_fp64")) GTEST_SKIP() << "the device has no double";
  const std::vector<float> singles = between(-1000, 1000);
  std::vector<double> x(singles.begin(), singles.end()), found(kCount);
  DeviceProgram program(
      "kernel void k(global double* x, global double* out) {\n"
      "  size_t i = get_global_id(0); out[i] = sin(x[i]); }\n",
      std::string("-cl-std=CL3.0 ") + GetParam());
  program.run("k", {1, {kCount, 1, 1}, {64, 1, 1}}, {x, found});
  for (std::size_t i = 0; i < kCount; ++i)
    ASSERT_LE(ulp_error(found[i], std::sin(Number{x[i]})), 4) << "of " << x[i];
}

INSTANTIATE_TEST_SUITE_P(With, MathRelaxed,
                         testing::Values("-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"),
                         [](const auto& info) {
                           return std::string(info.param).find("unsafe") != std::string::npos ? "UnsafeMath"
                                                                                              : "FastMath";
                         });

// Constant exponents.
template <class Tag>
struct ConstantPowers : testing::Test {
  using T = typename Tag::Type;
  // pow and pown of each value with the exponent that the options define.
  static std::vector<T> powers(std::vector<T> values, int exponent, const std::string& options,
                               bool by_integer) {
    const std::string type = TypeTraits<T>::name, n = std::to_string(exponent);
    const std::string power = by_integer ? "pown(x[i], " + n + ")" : "pow(x[i], (" + type + ")" + n + ")";
    DeviceProgram program("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global " + type +
                              "* x, global " + type +
                              "* out) {\n  size_t i = get_global_id(0); out[i] = " + power + "; }\n",
                          "-cl-std=CL3.0 " + options);
    std::vector<T> found(values.size());
    program.run("k", {1, {values.size(), 1, 1}, {64, 1, 1}}, {values, found});
    return found;
  }
  std::mt19937_64 random{std::random_device{}()};
};
using Types = testing::Types<Of<float>, Of<double>, Of<Half>>;
TYPED_TEST_SUITE(ConstantPowers, Types);

TYPED_TEST(ConstantPowers, AreAsPreciseAsOthers) {
  using T = typename TypeParam::Type;
  if (!std::is_same_v<T, float> && !device_has_extension(sizeof(T) == 8 ? "cl_khr_fp64" : "cl_khr_fp16"))
    GTEST_SKIP() << "the device does not have this type";
  const std::vector<T> values = test_values<T>(1 << 12, this->random);
  for (const bool by_integer : {false, true}) {
    for (const int exponent : {-3, -2, -1, 0, 1, 2, 3, 4, 5, 8}) {
      const std::vector<T> found = this->powers(values, exponent, "", by_integer);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Number exact = std::pow(static_cast<Number>(static_cast<double>(values[i])), Number(exponent));
        ASSERT_LE(ulp_error(found[i], exact), sizeof(T) == 2 ? 4 : 3)
            << static_cast<double>(values[i]) << " to the power of " << exponent << " is "
            << static_cast<double>(found[i]);
      }
    }
  }
}

TYPED_TEST(ConstantPowers, MayBeRelaxed) {
  using T = typename TypeParam::Type;
  if (sizeof(T) == 2) GTEST_SKIP() << "powers of halves overflow";
  if (sizeof(T) == 8 && !device_has_extension("cl_khr_fp64")) GTEST_SKIP() << "the device has no double";
  std::uniform_real_distribution<float> distribution(0.25f, 4);
  std::vector<T> values(1 << 12);
  for (T& value : values) value = static_cast<T>(distribution(this->random) * (this->random() & 1 ? 1 : -1));
  for (const int exponent : {-17, -16, -7, -2, 2, 5, 6, 15, 16, 17, 20}) {
    const std::vector<T> found = this->powers(values, exponent, "-cl-fast-relaxed-math", false);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Number x = static_cast<double>(values[i]), exact = std::pow(x, Number(exponent));
      const Number most = sizeof(T) == 4 ? of_power(x, exponent, exact) : std::fabs(exact) * 0x1p-48L;
      ASSERT_LE(std::fabs(static_cast<double>(found[i]) - exact), most)
          << static_cast<double>(values[i]) << " to the power of " << exponent;
    }
  }
}

}  // namespace
}  // namespace clcuda::test
