// SPDX-License-Identifier: Apache-2.0
// Math functions with a second result through a pointer (fract, frexp, lgamma_r, modf, remquo, sincos) in each address space and width,
// those with an integer (ilogb, ldexp, pown, rootn) or three arguments (fma, mad), nan and nextafter.
#include <gtest/gtest.h>

#include <functional>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

template <class T>
struct Expected {
  long double first, second;
  double first_bound, second_bound;
  bool any_second = false;  // undefined by the specification
};

template <class T>
long double below_one() {
  return 1 - std::ldexp(1.0L, -kDigits<T>);
}

Expected<void> remquo_of(double x, double y) {
  const long double rest = std::remainder(static_cast<long double>(x), static_cast<long double>(y));
  if (std::isnan(rest)) return {rest, 0, 0, 0, true};
  if (std::isinf(y)) return {rest, 0, 0, 0};
  // The quotient modulo 128, computed from exact remainders.
  const long double low =
      std::fmod(std::fabs(static_cast<long double>(x)), 128 * std::fabs(static_cast<long double>(y)));
  const long double q = std::nearbyint((low - std::copysign(rest, std::signbit(x) ? -rest : rest)) /
                                       std::fabs(static_cast<long double>(y)));
  const long double bits = std::fmod(q, 128.0L);
  return {rest, std::signbit(x) != std::signbit(y) ? -bits : bits, 0, 0};
}

struct Function {
  const char* name;
  bool integer_second;
  int arity;
};

template <class T>
Expected<void> reference(const std::string& name, double x, double y) {
  const double float_bound = sizeof(T) == 2 ? 2 : 4;
  if (name == "fract") {
    if (std::isnan(x)) return {x, x, 0, 0};
    if (std::isinf(x)) return {0, x, 0, 0};
    const long double part = static_cast<long double>(x) - std::floor(x);
    return {std::min(part, below_one<T>()), std::floor(x), 0.5, 0};
  }
  if (name == "modf") return {std::isinf(x) ? 0 : x - std::trunc(x), std::trunc(x), 0, 0};
  if (name == "frexp") {
    int exponent = 0;
    const double part = std::frexp(x, &exponent);
    return {part, static_cast<long double>(exponent), 0, 0, !std::isfinite(x)};
  }
  if (name == "sincos")
    return {std::sin(static_cast<long double>(x)), std::cos(static_cast<long double>(x)), float_bound,
            float_bound};
  if (name == "lgamma_r") {
    const bool pole = x <= 0 && x == std::floor(x);
    const bool negative = x < 0 && std::fmod(std::floor(x), 2.0) != 0;
    // The specification has no bound for this; only special values are checked.
    return {std::lgamma(static_cast<long double>(x)), negative ? -1.0L : 1.0L, 1e30, 0,
            pole || !std::isfinite(x)};
  }
  return remquo_of(x, y);
}

template <class T>
std::string kernel_text(const Function& f, int width, const std::string& space) {
  const std::string n = width == 1 ? "" : std::to_string(width), type = vector_type<T>(width);
  const std::string second = f.integer_second ? vector_type<cl_int>(width) : type;
  const auto load = [&](const char* p) {
    return width == 1 ? p + std::string("[i]") : "vload" + n + "(i, " + p + ")";
  };
  const std::string arguments = load("a") + (f.arity == 2 ? ", " + load("b") : "");
  std::string text =
      "kernel void k" + space + std::to_string(width) + "(global const " + TypeTraits<T>::name +
      "* a, global const " + TypeTraits<T>::name + "* b, global " + TypeTraits<T>::name + "* out, global " +
      (f.integer_second ? "int" : TypeTraits<T>::name) + "* parts) {\n  size_t i = get_global_id(0);\n";
  if (space == "global") return text + "  out[i] = " + f.name + "(" + arguments + ", parts + i);\n}\n";
  if (space == "local") {
    return text + "  local " + second + " part[64];\n  out[i] = " + f.name + "(" + arguments +
           ", part + get_local_id(0));\n  parts[i] = part[get_local_id(0)];\n}\n";
  }
  text += "  " + second + " part;\n  " + type + " value = " + f.name + "(" + arguments + ", &part);\n";
  return text + (width == 1 ? "  out[i] = value;\n  parts[i] = part;\n}\n"
                            : "  vstore" + n + "(value, i, out);\n  vstore" + n + "(part, i, parts);\n}\n");
}

template <class T, class Second>
void check(const Function& f, std::vector<T> a, std::vector<T> b, const std::string& options) {
  std::string text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" + kernel_text<T>(f, 1, "global") +
                     kernel_text<T>(f, 1, "local");
  for (const int width : kWidths) text += kernel_text<T>(f, width, "private");
  DeviceProgram program(text, options);
  const auto run = [&](const std::string& kernel, int width, std::size_t count) {
    std::vector<T> out(count * width);
    std::vector<Second> parts(count * width);
    program.run(kernel.c_str(), {1, {count, 1, 1}, {64, 1, 1}}, {a, b, out, parts});
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Expected<void> wanted =
          reference<T>(f.name, static_cast<double>(a[i]), static_cast<double>(b[i]));
      ASSERT_LE(ulp_error(out[i], wanted.first), wanted.first_bound)
          << f.name << "(" << TypeTraits<T>::name << " " << static_cast<double>(a[i]) << ", "
          << static_cast<double>(b[i]) << ") = " << static_cast<double>(out[i]) << " in " << kernel;
      if (wanted.any_second) continue;
      double error = 0;
      if constexpr (std::is_same_v<Second, cl_int>)
        error = std::fabs(static_cast<double>(parts[i] - wanted.second));
      else
        error = ulp_error(parts[i], wanted.second);
      ASSERT_LE(error, wanted.second_bound)
          << "second result of " << f.name << "(" << TypeTraits<T>::name << " " << static_cast<double>(a[i])
          << ", " << static_cast<double>(b[i]) << ") = " << static_cast<double>(parts[i]) << " in " << kernel;
    }
  };
  run("kglobal1", 1, a.size());
  run("klocal1", 1, a.size());
  for (const int width : kWidths) run("kprivate" + std::to_string(width), width, 64);
}

template <class Tag>
struct MathParts : testing::Test {
  using T = typename Tag::Type;
  std::mt19937_64 random{std::random_device{}()};
  static bool available() {
    return std::is_same_v<T, float> || device_has_extension(sizeof(T) == 8 ? "cl_khr_fp64" : "cl_khr_fp16");
  }
};
using Types = testing::Types<Of<float>, Of<double>, Of<Half>>;
TYPED_TEST_SUITE(MathParts, Types);

// With named address spaces (OpenCL C 1.2) and with the generic one (3.0).
TYPED_TEST(MathParts, TwoResults) {
  using T = typename TypeParam::Type;
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  const Function functions[] = {{"fract", false, 1}, {"modf", false, 1},    {"sincos", false, 1},
                                {"frexp", true, 1},  {"lgamma_r", true, 1}, {"remquo", true, 2}};
  for (const char* options : {"-cl-std=CL1.2", "-cl-std=CL3.0"}) {
    std::vector<T> a = test_values<T>(4096, this->random), b = a;
    std::shuffle(b.begin(), b.end(), this->random);
    for (const Function& function : functions) {
      if (function.integer_second)
        check<T, cl_int>(function, a, b, options);
      else
        check<T, T>(function, a, b, options);
    }
  }
}

long double root(long double x, int n) {
  if (n == 0 || (x < 0 && n % 2 == 0) || std::isnan(x)) return NAN;
  const long double magnitude = std::pow(std::fabs(x), 1.0L / n);
  return n % 2 != 0 ? std::copysign(magnitude, x) : magnitude;
}

// Integer arguments, small and arbitrary.
TYPED_TEST(MathParts, IntegerArguments) {
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  using T = typename TypeParam::Type;
  std::string text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  for (const int width : kWidths) {
    const std::string n = width == 1 ? "" : std::to_string(width), type = vector_type<T>(width),
                      scalar = TypeTraits<T>::name;
    const auto load = [&](const char* p) {
      return width == 1 ? p + std::string("[i]") : "vload" + n + "(i, " + p + ")";
    };
    const auto store = [&](const std::string& value, const char* p) {
      return width == 1 ? std::string("  ") + p + "[i] = " + value + ";\n"
                        : "  vstore" + n + "(" + value + ", i, " + p + ");\n";
    };
    text += "kernel void k" + std::to_string(width) + "(global const " + scalar +
            "* a, global const int* b, global " + scalar + "* scaled, global " + scalar + "* power, global " +
            scalar + "* root, global int* exponent) {\n  size_t i = get_global_id(0);\n  " + type +
            " x = " + load("a") + ";\n  " + vector_type<cl_int>(width) + " n = " + load("b") + ";\n" +
            store("ldexp(x, n)", "scaled") + store("pown(x, n)", "power") + store("rootn(x, n)", "root") +
            store("ilogb(x)", "exponent") + "}\n";
  }
  DeviceProgram program(text);
  std::vector<T> a = test_values<T>(4096, this->random);
  std::vector<cl_int> b(a.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = static_cast<cl_int>(this->random());
    if (i % 4 != 0) b[i] %= i % 4 == 1 ? 300 : 5;
    // Near 1, powers with large exponents are finite.
    if (i % 8 == 0)
      a[i] =
          from_bits<T>(static_cast<typename TypeTraits<T>::Bits>(bits_of(T(1)) + this->random() % 64 - 32));
  }
  for (const int width : kWidths) {
    const std::size_t count = width == 1 ? a.size() : 64;
    std::vector<T> scaled(count * width), power(scaled), root_of(scaled);
    std::vector<cl_int> exponent(scaled.size());
    program.run(("k" + std::to_string(width)).c_str(), {1, {count, 1, 1}, {64, 1, 1}},
                {a, b, scaled, power, root_of, exponent});
    const double bound = sizeof(T) == 2 ? 4 : 16;
    for (std::size_t i = 0; i < scaled.size(); ++i) {
      const auto x = static_cast<long double>(static_cast<double>(a[i]));
      const std::string call = "(" + std::to_string(static_cast<double>(a[i])) + ", " + std::to_string(b[i]) +
                               ") on " + vector_type<T>(width);
      const long double exact_scaled = std::ldexp(x, std::clamp(b[i], -5000, 5000));
      ASSERT_LE(ulp_error(scaled[i], exact_scaled),
                std::fabs(exact_scaled) < std::ldexp(1.0L, kLeastExponent<T>) ? 0.5 : 0)
          << "ldexp" << call;
      ASSERT_LE(ulp_error(power[i], std::pow(x, static_cast<long double>(b[i]))), bound) << "pown" << call;
      ASSERT_LE(ulp_error(root_of[i], root(x, b[i])), bound) << "rootn" << call;
      const cl_int wanted = std::isnan(x)   ? INT32_MAX
                            : x == 0        ? INT32_MIN
                            : std::isinf(x) ? INT32_MAX
                                            : std::ilogb(x);
      if (!std::isnan(x)) ASSERT_EQ(exponent[i], wanted) << "ilogb" << call;
    }
  }
}

TYPED_TEST(MathParts, FusedAndNeighbours) {
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  using T = typename TypeParam::Type;
  using Bits = typename TypeTraits<T>::Bits;
  const std::string scalar = TypeTraits<T>::name, bits = sizeof(T) == 2   ? "ushort"
                                                         : sizeof(T) == 4 ? "uint"
                                                                          : "ulong";
  DeviceProgram program("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global const " +
                        scalar + "* a, global const " + scalar + "* b, global const " + scalar +
                        "* c, global " + scalar +
                        "* out) {\n  size_t i = get_global_id(0);\n  out[3 * i] = fma(a[i], b[i], c[i]);\n"
                        "  out[3 * i + 1] = nextafter(a[i], b[i]);\n  out[3 * i + 2] = nan(as_" +
                        bits + "(a[i]));\n}");
  std::vector<T> a = test_values<T>(4096, this->random), b = a, c = a;
  std::shuffle(b.begin(), b.end(), this->random);
  std::shuffle(c.begin(), c.end(), this->random);
  for (std::size_t i = 0; i < a.size(); i += 3)
    c[i] = -(a[i] * b[i]);  // the exact result is the rounding error of the product
  std::vector<T> out(3 * a.size());
  program.run("k", {1, {a.size(), 1, 1}, {64, 1, 1}}, {a, b, c, out});
  for (std::size_t i = 0; i < a.size(); ++i) {
    T fused, next;
    if constexpr (sizeof(T) == 2) {
      fused = static_cast<T>(
          std::fma(static_cast<double>(a[i]), static_cast<double>(b[i]), static_cast<double>(c[i])));
      const auto step = [&](int by) { return from_bits<T>(static_cast<Bits>(bits_of(a[i]) + by)); };
      next = a[i] != a[i] || b[i] != b[i] ? T(NAN)
             : a[i] == b[i]               ? b[i]
             : a[i] == 0                  ? from_bits<T>(static_cast<Bits>((bits_of(b[i]) & 0x8000) | 1))
                                          : step((a[i] < b[i]) == (a[i] > 0) ? 1 : -1);
    } else {
      fused = std::fma(a[i], b[i], c[i]);
      next = std::nextafter(a[i], b[i]);
    }
    ASSERT_TRUE(out[3 * i] == fused || (fused != fused && out[3 * i] != out[3 * i])) << "fma, element " << i;
    ASSERT_TRUE(bits_of(out[3 * i + 1]) == bits_of(next) ||
                (next != next && out[3 * i + 1] != out[3 * i + 1]))
        << "nextafter, element " << i;
    ASSERT_NE(out[3 * i + 2], out[3 * i + 2]) << "nan";
  }
}

}  // namespace
}  // namespace clcuda::test
