// SPDX-License-Identifier: Apache-2.0
// Each math function of one or two arguments on float, double and half, compared with long double, within the bounds of OpenCL C 7.4,
// special values included; half exhaustively. Vectors must give the same bits as scalars. Prints the largest errors, from which
// scripts/accuracy-table makes docs/accuracy.md.
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <map>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

constexpr long double kPi = 3.14159265358979323846264338327950288L;

bool is_odd(long double whole) { return std::fmod(std::fabs(whole), 2.0L) == 1; }

long double sinpi(long double x) {
  if (std::isinf(x)) return NAN;
  const long double whole = std::nearbyint(x), sine = std::sin(kPi * (x - whole));
  if (sine == 0) return std::copysign(0.0L, x);
  return is_odd(whole) ? -sine : sine;
}
long double cospi(long double x) {
  if (std::isinf(x)) return NAN;
  const long double whole = std::nearbyint(x), cosine = std::sin(kPi * (0.5L - std::fabs(x - whole)));
  return is_odd(whole) ? -cosine : cosine;
}
long double tanpi(long double x) {
  if (std::isinf(x)) return NAN;
  const long double whole = std::nearbyint(x);
  if (x == whole) return std::copysign(0.0L, is_odd(x) ? -x : x);
  const long double cosine = cospi(x);
  if (cosine == 0) return is_odd(std::floor(x)) ? -INFINITY : INFINITY;
  return sinpi(x) / cosine;
}
// Defined as exp(y log x) (7.5.1), which differs from C's pow in some special cases.
long double powr(long double x, long double y) {
  if (x < 0 || std::isnan(x) || std::isnan(y) || (x == 1 && std::isinf(y))) return NAN;
  if (y == 0 && (x == 0 || std::isinf(x))) return NAN;
  return std::pow(std::fabs(x), y);
}

struct Bounds {
  double of_float, of_double, of_half;
};
template <class T>
double bound_for(const Bounds& bounds) {
  return sizeof(T) == 4 ? bounds.of_float : sizeof(T) == 8 ? bounds.of_double : bounds.of_half;
}

struct Unary {
  const char* name;
  Bounds bounds;
  long double (*reference)(long double);
};
struct Binary {
  const char* name;
  Bounds bounds;
  long double (*reference)(long double, long double);
};

#define F1(expression) [](long double x) -> long double { return expression; }
#define F2(expression) [](long double x, long double y) -> long double { return expression; }

const Unary kUnary[] = {
    {"acos", {4, 4, 2}, F1(std::acos(x))},
    {"acosh", {4, 4, 2}, F1(std::acosh(x))},
    {"acospi", {5, 5, 2}, F1(std::acos(x) / kPi)},
    {"asin", {4, 4, 2}, F1(std::asin(x))},
    {"asinh", {4, 4, 2}, F1(std::asinh(x))},
    {"asinpi", {5, 5, 2}, F1(std::asin(x) / kPi)},
    {"atan", {5, 5, 2}, F1(std::atan(x))},
    {"atanh", {5, 5, 2}, F1(std::atanh(x))},
    {"atanpi", {5, 5, 2}, F1(std::atan(x) / kPi)},
    {"cbrt", {2, 2, 2}, F1(std::cbrt(x))},
    {"ceil", {0, 0, 0}, F1(std::ceil(x))},
    {"cos", {4, 4, 2}, F1(std::cos(x))},
    {"cosh", {4, 4, 2}, F1(std::cosh(x))},
    {"cospi", {4, 4, 2}, cospi},
    {"erf", {16, 16, 4}, F1(std::erf(x))},
    {"erfc", {16, 16, 4}, F1(std::erfc(x))},
    {"exp", {3, 3, 2}, F1(std::exp(x))},
    {"exp2", {3, 3, 2}, F1(std::exp2(x))},
    {"exp10", {3, 3, 2}, F1(std::pow(10.0L, x))},
    {"expm1", {3, 3, 2}, F1(std::expm1(x))},
    {"fabs", {0, 0, 0}, F1(std::fabs(x))},
    {"floor", {0, 0, 0}, F1(std::floor(x))},
    {"log", {3, 3, 2}, F1(std::log(x))},
    {"log2", {3, 3, 2}, F1(std::log2(x))},
    {"log10", {3, 3, 2}, F1(std::log10(x))},
    {"log1p", {2, 2, 2}, F1(std::log1p(x))},
    {"logb", {0, 0, 0}, F1(std::logb(x))},
    {"rint", {0, 0, 0}, F1(std::nearbyint(x))},
    {"round", {0, 0, 0}, F1(std::round(x))},
    {"rsqrt",
     {2, 2, 1},
     F1(x == 0 ? std::copysign(static_cast<long double>(INFINITY), x) : 1 / std::sqrt(x))},
    {"sin", {4, 4, 2}, F1(std::sin(x))},
    {"sinh", {4, 4, 2}, F1(std::sinh(x))},
    {"sinpi", {4, 4, 2}, sinpi},
    {"sqrt", {3, 0.5, 0.5}, F1(std::sqrt(x))},
    {"tan", {5, 5, 2}, F1(std::tan(x))},
    {"tanh", {5, 5, 2}, F1(std::tanh(x))},
    {"tanpi", {6, 6, 2}, tanpi},
    {"tgamma", {16, 16, 4}, F1(std::tgamma(x))},
    {"trunc", {0, 0, 0}, F1(std::trunc(x))},
};

const Binary kBinary[] = {
    {"atan2", {6, 6, 2}, F2(std::atan2(x, y))},
    {"atan2pi", {6, 6, 2}, F2(std::atan2(x, y) / kPi)},
    {"copysign", {0, 0, 0}, F2(std::copysign(x, y))},
    {"fdim", {0.5, 0.5, 0.5}, F2(std::fdim(x, y))},
    {"fmax", {0, 0, 0}, F2(std::fmax(x, y))},
    {"fmin", {0, 0, 0}, F2(std::fmin(x, y))},
    {"fmod", {0, 0, 0}, F2(std::fmod(x, y))},
    {"hypot", {4, 4, 2}, F2(std::hypot(x, y))},
    {"maxmag",
     {0, 0, 0},
     F2(std::fabs(x) > std::fabs(y)   ? x
        : std::fabs(y) > std::fabs(x) ? y
                                      : std::fmax(x, y))},
    {"minmag",
     {0, 0, 0},
     F2(std::fabs(x) < std::fabs(y)   ? x
        : std::fabs(y) < std::fabs(x) ? y
                                      : std::fmin(x, y))},
    {"pow", {16, 16, 4}, F2(std::pow(x, y))},
    {"powr", {16, 16, 4}, powr},
    {"remainder", {0, 0, 0}, F2(std::remainder(x, y))},
};

// Kernels k1, k2, k3, … by vector width, with `arity` inputs.
template <class T>
std::string kernels(const std::string& name, int arity) {
  std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  for (const int width : kWidths) {
    const std::string n = width == 1 ? "" : std::to_string(width), type = TypeTraits<T>::name;
    const auto load = [&](const char* p) {
      return width == 1 ? p + std::string("[i]") : "vload" + n + "(i, " + p + ")";
    };
    const std::string value = name + "(" + load("a") + (arity == 2 ? ", " + load("b") : "") + ")";
    source += "kernel void k" + std::to_string(width) + "(global const " + type + "* a, global const " +
              type + "* b, global " + type + "* out) {\n  size_t i = get_global_id(0);\n  " +
              (width == 1 ? "out[i] = " + value : "vstore" + n + "(" + value + ", i, out)") + ";\n}\n";
  }
  return source;
}

struct Worst {
  double bound = 0, error = -1;  // negative: not tested
};
std::map<std::string, std::array<Worst, 3>> worst;  // float, double, half

template <class T>
void compare(const std::string& name, int arity, double bound, const std::vector<T>& a,
             const std::vector<T>& b, const std::function<long double(long double, long double)>& reference) {
  DeviceProgram program(kernels<T>(name, arity));
  std::vector<T> first = a, second = b, scalar(a.size());
  program.run("k1", {1, {a.size(), 1, 1}, {64, 1, 1}}, {first, second, scalar});
  double error = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double exact = reference(static_cast<double>(a[i]), static_cast<double>(b[i]));
    const double here = ulp_error(scalar[i], exact);
    ASSERT_LE(here, bound) << name << "(" << TypeTraits<T>::name << " " << static_cast<double>(a[i]) << ", "
                           << static_cast<double>(b[i]) << ") = " << static_cast<double>(scalar[i])
                           << ", not " << static_cast<double>(exact);
    error = std::max(error, here);
  }
  Worst& entry = worst[name][sizeof(T) == 4 ? 0 : sizeof(T) == 8 ? 1 : 2];
  entry = {bound, std::max(entry.error, error)};
  for (const int width : kWidths) {
    if (width == 1) continue;
    const std::size_t count = 960 / width;  // number of vectors
    std::vector<T> out(count * width);
    program.run(("k" + std::to_string(width)).c_str(), {1, {count, 1, 1}, {count, 1, 1}},
                {first, second, out});
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool same = bits_of(out[i]) == bits_of(scalar[i]) || (out[i] != out[i] && scalar[i] != scalar[i]);
      ASSERT_TRUE(same) << name << " on " << vector_type<T>(width) << ", element " << i % width;
    }
  }
}

template <class Tag>
struct MathAccuracy : testing::Test {
  using T = typename Tag::Type;
  static bool available() {
    return std::is_same_v<T, float> || device_has_extension(sizeof(T) == 8 ? "cl_khr_fp64" : "cl_khr_fp16");
  }
  std::mt19937_64 random{std::random_device{}()};
};
using Types = testing::Types<Of<float>, Of<double>, Of<Half>>;
TYPED_TEST_SUITE(MathAccuracy, Types);

TYPED_TEST(MathAccuracy, OfOneArgument) {
  using T = typename TypeParam::Type;
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  std::vector<T> values = test_values<T>(1 << 14, this->random);
  if constexpr (sizeof(T) == 2) {
    values.resize(1 << 16);
    for (int i = 0; i < 1 << 16; ++i) values[i] = from_bits<T>(static_cast<std::uint16_t>(i));
  }
  for (const Unary& function : kUnary) {
    compare<T>(function.name, 1, bound_for<T>(function.bounds), values, values,
               [&](long double x, long double) { return function.reference(x); });
  }
}

// Each pair of edge values, then random ones.
TYPED_TEST(MathAccuracy, OfTwoArguments) {
  using T = typename TypeParam::Type;
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  const std::vector<T> edges = edge_values<T>();
  std::vector<T> a = test_values<T>(1 << 14, this->random), b = a;
  std::shuffle(b.begin(), b.end(), this->random);
  for (std::size_t i = 0; i < edges.size() * edges.size(); ++i) {
    a[i] = edges[i / edges.size()];
    b[i] = edges[i % edges.size()];
  }
  for (const Binary& function : kBinary) {
    compare<T>(function.name, 2, bound_for<T>(function.bounds), a, b, function.reference);
  }
}

struct PrintTable : testing::Environment {
  void TearDown() override {
    if (worst.empty()) return;
    std::printf("ulp: worst/bound          float         double           half\n");
    for (const auto& [name, of_types] : worst) {
      std::printf("ulp: %-14s", name.c_str());
      for (const Worst& of_type : of_types) std::printf(" %9.3f/%-4g", of_type.error, of_type.bound);
      std::printf("\n");
    }
  }
};
const auto* const kTable = testing::AddGlobalTestEnvironment(new PrintTable);

}  // namespace
}  // namespace clcuda::test
