// SPDX-License-Identifier: Apache-2.0
// Clang's own math builtins, which are not functions of OpenCL C but can be called, __builtin_powif and __builtin_hypotf among them.
// Results are compared with the host's library, within the bounds of OpenCL's corresponding functions (7.4).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

using Number = long double;

Number sinpi(Number x) {
  const Number whole = std::nearbyint(x), sine = std::sin(std::numbers::pi_v<Number> * (x - whole));
  return std::fmod(whole, 2) == 0 ? sine : -sine;
}

Number quotient_bits(Number x, Number y) {
  int quotient = 0;
  std::remquo(x, y, &quotient);
  return quotient < 0 ? -(-quotient % 8) : quotient % 8;
}

// A call with two numbers and an int; F is replaced by the suffix of the type's builtins.
struct Builtin {
  const char* call;
  double bound;  // ulp
  Number (*reference)(Number x, Number y, int n);
};

#define OF(expression) \
  [](Number x, [[maybe_unused]] Number y, [[maybe_unused]] int n) -> Number { return expression; }

const Builtin kBuiltins[] = {
    {"__builtin_powiF(x, n)", 16, OF(std::pow(x, n))},
    {"__builtin_powiF(x, 0)", 0, OF((void(x), Number{1}))},
    {"__builtin_powiF(x, 3)", 2, OF(x * x * x)},
    {"__builtin_powiF(x, -3)", 16, OF(1 / (x * x * x))},
    {"__builtin_powiF(x, 16)", 16, OF(std::pow(x, 16))},
    {"__builtin_powiF(x, 31)", 16, OF(std::pow(x, 31))},
    {"two(x, 0)", 4, OF(std::sin(x))},
    {"two(x, 1)", 4, OF(std::cos(x))},
    {"two(x, 2)", 4, OF(sinpi(x))},
    {"two(x, 3)", 4, OF(sinpi(x + 0.5L))},
    {"two(x, 4)", 0, OF(std::copysign(x - std::trunc(x), x))},
    {"two(x, 5)", 0, OF(std::trunc(x))},
    {"__builtin_lroundF(x)", 0, OF(std::round(x))},
    {"__builtin_llroundF(x)", 0, OF(std::round(x))},
    {"__builtin_lrintF(x)", 0, OF(std::nearbyint(x))},
    {"__builtin_llrintF(x)", 0, OF(std::nearbyint(x))},
    {"__builtin_canonicalizeF(x)", 0, OF(x)},
    {"__builtin_acoshF(__builtin_fabsF(x) + 1)", 4, OF(std::acosh(std::fabs(x) + 1))},
    {"__builtin_asinhF(x)", 4, OF(std::asinh(x))},
    {"__builtin_atanhF(x / 32)", 5, OF(std::atanh(x / 32))},
    {"__builtin_cbrtF(x)", 2, OF(std::cbrt(x))},
    {"__builtin_erfF(x)", 16, OF(std::erf(x))},
    {"__builtin_erfcF(x / 4)", 16, OF(std::erfc(x / 4))},
    {"__builtin_expm1F(x)", 3, OF(std::expm1(x))},
    {"__builtin_fdimF(x, y)", 0.5, OF(std::fdim(x, y))},
    {"__builtin_hypotF(x, y)", 4, OF(std::hypot(x, y))},
    {"__builtin_ilogbF(x)", 0, OF(std::ilogb(x))},
    {"__builtin_log1pF(__builtin_fabsF(x))", 2, OF(std::log1p(std::fabs(x)))},
    {"__builtin_logbF(x)", 0, OF(std::logb(x))},
    {"__builtin_remainderF(x, y)", 0, OF(std::remainder(x, y))},
    {"two(x, 6)", 0, OF(std::remainder(x, Number{0.75}))},
    {"two(x, 7)", 0, OF(quotient_bits(x, Number{0.75}))},
    {"__builtin_scalbnF(x, n)", 0, OF(std::scalbn(x, n))},
    {"__builtin_scalblnF(x, n)", 0, OF(std::scalbn(x, n))},
    {"__builtin_tgammaF(__builtin_fabsF(x))", 16, OF(std::tgamma(std::fabs(x)))},
};

// The type's builtins with two results, and one kernel with all calls.
template <class T>
std::string source() {
  std::string text = R"(
    N two(N x, int which) {
      N first, second; int quotient;
      switch (which / 2) {
        case 0: __builtin_sincosF(x, &first, &second); break;
        case 1: __builtin_sincospiF(x, &first, &second); break;
        case 2: first = __builtin_modfF(x, &second); break;
        default: first = __builtin_remquoF(x, (N)0.75, &quotient);
                 second = (N)(quotient < 0 ? -(-quotient % 8) : quotient % 8);
      }
      return which % 2 == 0 ? first : second;
    }
    kernel void k(global const N* xs, global const N* ys, global const int* ns, global N* out) {
      size_t i = get_global_id(0), count = get_global_size(0);
      N x = xs[i], y = ys[i]; int n = ns[i];
)";
  for (std::size_t j = 0; j < std::size(kBuiltins); ++j)
    text += "      out[" + std::to_string(j) + " * count + i] = (N)" + kBuiltins[j].call + ";\n";
  text += "    }";
  for (std::size_t at = 0; (at = text.find("F(", at)) != std::string::npos; ++at)
    text.replace(at, 1, sizeof(T) == 4 ? "f" : "");
  return std::string("typedef ") + TypeTraits<T>::name + " N;\n" + text;
}

template <class Tag>
struct MathBuiltins : testing::Test {
  std::mt19937_64 random{std::random_device{}()};
};
using Types = testing::Types<Of<float>, Of<double>>;
TYPED_TEST_SUITE(MathBuiltins, Types);

TYPED_TEST(MathBuiltins, OfOneNumber) {
  using T = typename TypeParam::Type;
  if (sizeof(T) == 8 && !device_has_extension("cl_khr_fp64")) GTEST_SKIP() << "the device has no double";
  constexpr std::size_t kCount = 4096;
  std::vector<T> x(kCount), y(kCount);
  std::vector<cl_int> n(kCount);
  std::uniform_real_distribution<T> numbers(-20, 20);
  std::uniform_int_distribution<cl_int> exponents(-28, 28);
  for (std::size_t i = 0; i < kCount; ++i)
    x[i] = numbers(this->random), y[i] = numbers(this->random), n[i] = exponents(this->random);
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    DeviceProgram program(source<T>(), options);
    std::vector<T> out(kCount * std::size(kBuiltins));
    program.run("k", {1, {kCount, 1, 1}, {64, 1, 1}}, {x, y, n, out});
    for (std::size_t j = 0; j < std::size(kBuiltins); ++j) {
      for (std::size_t i = 0; i < kCount; ++i) {
        const Number exact = kBuiltins[j].reference(x[i], y[i], n[i]);
        const T result = out[j * kCount + i];
        ASSERT_LE(ulp_error(result, exact), kBuiltins[j].bound)
            << kBuiltins[j].call << " of " << x[i] << ", " << y[i] << ", " << n[i] << " is " << result
            << ", not " << static_cast<double>(exact) << options;
      }
    }
  }
}

// Element-wise builtins on vectors, halves and bfloats included; infinities, signed zeros, and values outside of the range of long.
TEST(MathBuiltinsOfVectors, AtTheEdges) {
  DeviceProgram program(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    typedef __bf16 bfloat4 __attribute__((ext_vector_type(4)));
    kernel void k(global int4* out, global long* longs, global const float* given) {
      float whole;
      out[0] = as_int4(__builtin_elementwise_tan((float4)(0.0f, -0.0f, given[0], given[0])));
      out[1] = as_int4((float4)(__builtin_modff(given[0], &whole), whole, __builtin_modff(-0.0f * given[1], &whole), whole));
      float4 x = (float4)(given[1], given[2], -given[1], given[0]);
      out[2] = as_int4(__builtin_elementwise_canonicalize(x));
      out[3] = as_int4(convert_float4(__builtin_elementwise_canonicalize(convert_half4(x))));
      bfloat4 b = __builtin_convertvector(x, bfloat4);
      out[4] = as_int4(__builtin_convertvector(__builtin_elementwise_canonicalize(b), float4));
      longs[0] = __builtin_lroundf(given[0]); longs[1] = __builtin_lrintf(-given[0]);
      longs[2] = __builtin_lroundf(given[2]); longs[3] = __builtin_lrintf(given[2]);
      out[5] = as_int4((float4)(__builtin_nextafterf(given[1], given[0]), __builtin_powif(given[0], -1),
                                __builtin_scalblnf(given[1], 1L << 40), __builtin_lgammaf(given[1])));
    })");
  std::vector<cl_int> out(24);
  std::vector<cl_long> longs(4);
  std::vector<float> given{INFINITY, 1.0F, 2.5F};
  program.run("k", {1, {1, 1, 1}, {1, 1, 1}}, {out, longs, given});
  const auto number = [&](int i) { return from_bits<float>(static_cast<cl_uint>(out[i])); };
  const float positive[] = {0, -0.0F, NAN, NAN, 0, INFINITY, -0.0F, -0.0F};
  for (int i = 0; i < 8; ++i) {
    if (std::isnan(positive[i]))
      EXPECT_TRUE(std::isnan(number(i))) << i;
    else
      EXPECT_EQ(bits_of(positive[i]), bits_of(number(i))) << i;
  }
  for (int i = 8; i < 20; i += 4)
    for (const auto& [place, wanted] : {std::pair{0, 1.0F}, {1, 2.5F}, {2, -1.0F}, {3, INFINITY}})
      EXPECT_EQ(wanted, number(i + place)) << i + place;
  EXPECT_EQ(
      (std::vector<cl_long>{std::numeric_limits<cl_long>::max(), std::numeric_limits<cl_long>::min(), 3, 2}),
      longs);
  EXPECT_EQ(std::nextafter(1.0F, 2.0F), number(20));
  EXPECT_EQ(0.0F, number(21));
  EXPECT_EQ(INFINITY, number(22));
  EXPECT_EQ(0.0F, number(23));
}

}  // namespace
}  // namespace clcuda::test
