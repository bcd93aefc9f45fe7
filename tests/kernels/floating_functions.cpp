// SPDX-License-Identifier: Apache-2.0
// Relational (OpenCL C 6.15.6), common (6.15.4) and geometric functions (6.15.5) of each type and width.
#include <gtest/gtest.h>

#include <functional>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

template <class T>
struct IntegerLike;
template <>
struct IntegerLike<Half> {
  using Type = cl_short;
};
template <>
struct IntegerLike<float> {
  using Type = cl_int;
};
template <>
struct IntegerLike<double> {
  using Type = cl_long;
};

struct Relation {
  const char* call;
  bool (*reference)(double, double);
  bool unary_class = false;
};
const Relation kRelations[] = {
    {"isequal(x, y)", [](double x, double y) { return x == y; }},
    {"isnotequal(x, y)", [](double x, double y) { return x != y; }},
    {"isgreater(x, y)", [](double x, double y) { return x > y; }},
    {"isgreaterequal(x, y)", [](double x, double y) { return x >= y; }},
    {"isless(x, y)", [](double x, double y) { return x < y; }},
    {"islessequal(x, y)", [](double x, double y) { return x <= y; }},
    {"islessgreater(x, y)", [](double x, double y) { return x < y || x > y; }},
    {"isordered(x, y)", [](double x, double y) { return !std::isunordered(x, y); }},
    {"isunordered(x, y)", [](double x, double y) { return std::isunordered(x, y); }},
    {"isnan(x)", [](double x, double) { return std::isnan(x); }},
    {"isinf(x)", [](double x, double) { return std::isinf(x); }},
    {"isfinite(x)", [](double x, double) { return std::isfinite(x); }},
    {"signbit(x)", [](double x, double) { return std::signbit(x); }},
};

template <class Tag>
struct FloatingFunctions : testing::Test {
  using T = typename Tag::Type;
  std::mt19937_64 random{std::random_device{}()};
  static bool available() {
    return std::is_same_v<T, float> || device_has_extension(sizeof(T) == 8 ? "cl_khr_fp64" : "cl_khr_fp16");
  }
};
using Types = testing::Types<Of<float>, Of<double>, Of<Half>>;
TYPED_TEST_SUITE(FloatingFunctions, Types);

template <class T>
std::string kernel(const std::string& name, int width, const std::string& result,
                   const std::string& statements) {
  const std::string n = width == 1 ? "" : std::to_string(width), type = vector_type<T>(width),
                    scalar = TypeTraits<T>::name;
  const auto load = [&](const char* to, const char* p) {
    return "  " + type + " " + to + " = " +
           (width == 1 ? p + std::string("[i]") : "vload" + n + "(i, " + p + ")") + ";\n";
  };
  return "kernel void " + name + std::to_string(width) + "(global const " + scalar + "* a, global const " +
         scalar + "* b, global const " + scalar + "* c, global " + result +
         "* out) {\n  size_t i = get_global_id(0);\n" + load("x", "a") + load("y", "b") + load("z", "c") +
         statements + "}\n";
}
std::string store(int width, const std::string& value) {
  return width == 1 ? "  out[i] = " + value + ";\n"
                    : "  vstore" + std::to_string(width) + "(" + value + ", i, out);\n";
}
constexpr const char* kHalfOn = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";

// True is 1 for scalars and -1 for vectors. isnormal is separate, because values are doubles on the host, where other numbers are normal.
TYPED_TEST(FloatingFunctions, Relations) {
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  using T = typename TypeParam::Type;
  using S = typename IntegerLike<T>::Type;
  std::string text = kHalfOn;
  int number = 0;
  for (const Relation& relation : kRelations) {
    for (const int width : kWidths) {
      text += kernel<T>("r" + std::to_string(number) + "_", width, TypeTraits<S>::name,
                        store(width, relation.call));
    }
    ++number;
  }
  for (const int width : kWidths)
    text += kernel<T>("normal", width, TypeTraits<S>::name, store(width, "isnormal(x)"));
  for (const int width : kWidths) {
    text += kernel<T>(
        "select", width, TypeTraits<S>::name,
        store(width, "as_" + vector_type<S>(width) + "(select(x, y, as_" + vector_type<S>(width) + "(z)))"));
  }
  DeviceProgram program(text);
  std::vector<T> a = test_values<T>(4096, this->random), b = a, c = a;
  std::shuffle(b.begin(), b.end(), this->random);
  for (std::size_t i = 0; i < a.size(); i += 4) b[i] = a[i];
  const auto each = [&](const std::string& name, const std::function<S(std::size_t, int)>& wanted) {
    for (const int width : kWidths) {
      const std::size_t count = width == 1 ? a.size() : 64;
      std::vector<S> out(count * width);
      program.run((name + std::to_string(width)).c_str(), {1, {count, 1, 1}, {64, 1, 1}}, {a, b, c, out});
      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(out[i], wanted(i, width)) << name << " on " << vector_type<T>(width) << ": "
                                            << static_cast<double>(a[i]) << ", " << static_cast<double>(b[i]);
      }
    }
  };
  number = 0;
  for (const Relation& relation : kRelations) {
    each("r" + std::to_string(number++) + "_", [&](std::size_t i, int width) {
      return static_cast<S>(relation.reference(static_cast<double>(a[i]), static_cast<double>(b[i]))
                                ? (width == 1 ? 1 : -1)
                                : 0);
    });
  }
  each("normal", [&](std::size_t i, int width) {
    const double magnitude = std::fabs(static_cast<double>(a[i]));
    return static_cast<S>(std::isfinite(magnitude) && magnitude >= std::ldexp(1.0, kLeastExponent<T>)
                              ? (width == 1 ? 1 : -1)
                              : 0);
  });
  each("select", [&](std::size_t i, int width) {
    const auto condition = static_cast<S>(bits_of(c[i]));
    return static_cast<S>(bits_of((width == 1 ? condition != 0 : condition < 0) ? b[i] : a[i]));
  });
}

struct Common {
  const char* call;
  double (*reference)(double, double, double);
  double bound;  // in ulp of a result for numbers up to 128
};
const Common kCommon[] = {
    {"max(x, y)", [](double x, double y, double) { return x < y ? y : x; }, 0},
    {"min(x, y)", [](double x, double y, double) { return y < x ? y : x; }, 0},
    {"clamp(x, min(y, z), max(y, z))",
     [](double x, double y, double z) { return std::min(std::max(x, std::min(y, z)), std::max(y, z)); }, 0},
    {"step(x, y)", [](double x, double y, double) { return y < x ? 0.0 : 1.0; }, 0},
    {"sign(x)", [](double x, double, double) { return x > 0   ? 1.0
                                                      : x < 0 ? -1.0
                                                              : x; }, 0},
    {"degrees(x)", [](double x, double, double) { return x * 57.295779513082320876798154814105; }, 2},
    {"radians(x)", [](double x, double, double) { return x * 0.017453292519943295769236907684886; }, 2},
};

TYPED_TEST(FloatingFunctions, Common) {
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  using T = typename TypeParam::Type;
  std::string text = kHalfOn;
  int number = 0;
  for (const auto& function : kCommon) {
    for (const int width : kWidths)
      text += kernel<T>("f" + std::to_string(number) + "_", width, TypeTraits<T>::name,
                        store(width, function.call));
    ++number;
  }
  for (const int width : kWidths) {
    text += kernel<T>("mix", width, TypeTraits<T>::name, store(width, "mix(x, y, fabs(z) / 128)"));
    text += kernel<T>("smooth", width, TypeTraits<T>::name,
                      store(width, "smoothstep(-fabs(y) - 1, fabs(z) + 1, x)"));
  }
  DeviceProgram program(text);
  std::vector<T> a(2048), b(a), c(a);
  std::uniform_real_distribution<double> number_between(-128, 128);
  for (auto* values : {&a, &b, &c}) {
    for (T& value : *values) value = static_cast<T>(number_between(this->random));
  }
  a[0] = T(0), a[1] = -T(0);
  const auto each = [&](const std::string& name, const std::function<void(T, std::size_t)>& compare) {
    for (const int width : kWidths) {
      const std::size_t count = width == 1 ? a.size() : 64;
      std::vector<T> out(count * width);
      program.run((name + std::to_string(width)).c_str(), {1, {count, 1, 1}, {64, 1, 1}}, {a, b, c, out});
      for (std::size_t i = 0; i < out.size(); ++i) compare(out[i], i);
    }
  };
  number = 0;
  for (const auto& function : kCommon) {
    each("f" + std::to_string(number++) + "_", [&](T result, std::size_t i) {
      const double wanted =
          function.reference(static_cast<double>(a[i]), static_cast<double>(b[i]), static_cast<double>(c[i]));
      ASSERT_LE(ulp_error(result, static_cast<long double>(wanted)),
                function.bound + (function.bound > 0 && sizeof(T) == 8 ? 1 : 0))
          << function.call << " of " << static_cast<double>(a[i]);
    });
  }
  const double epsilon = std::ldexp(1.0, -kDigits<T>);
  each("mix", [&](T result, std::size_t i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]),
                 t = std::fabs(static_cast<double>(c[i])) / 128;
    ASSERT_NEAR(static_cast<double>(result), x + (y - x) * t, 8 * 128 * epsilon);
  });
  each("smooth", [&](T result, std::size_t i) {
    const double low = -std::fabs(static_cast<double>(b[i])) - 1,
                 high = std::fabs(static_cast<double>(c[i])) + 1;
    const double t = std::clamp((static_cast<double>(a[i]) - low) / (high - low), 0.0, 1.0);
    ASSERT_NEAR(static_cast<double>(result), t * t * (3 - 2 * t), 16 * epsilon);
  });
}

// Lengths of all magnitudes: squares must not overflow or underflow. Error bounds in ulp are those of section 7.4.
TYPED_TEST(FloatingFunctions, Geometric) {
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  using T = typename TypeParam::Type;
  std::string text = kHalfOn;
  for (const int width : {1, 2, 3, 4}) {
    const std::string n = width == 1 ? "" : std::to_string(width);
    text += kernel<T>(
        "k", width, TypeTraits<T>::name,
        "  out[8 * i] = dot(x, y);\n  out[8 * i + 1] = length(x);\n  out[8 * i + 2] = distance(x, y);\n" +
            (width == 1 ? std::string("  out[8 * i + 3] = normalize(x);\n")
                        : "  vstore" + n + "(normalize(x), 0, out + 8 * i + 3);\n"));
  }
  text += kernel<T>("cross", 3, TypeTraits<T>::name, store(3, "cross(x, y)"));
  DeviceProgram program(text);
  for (const int width : {1, 2, 3, 4}) {
    constexpr std::size_t kCount = 512;
    std::vector<T> a(kCount * width), b(a), c(a), out(8 * kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      const int range = 1 - kLeastExponent<T>;
      const int exponent = static_cast<int>(this->random() % (2 * range)) - range - (sizeof(T) == 2 ? 0 : 10);
      for (int k = 0; k < width; ++k) {
        const double value = std::uniform_real_distribution<double>(-0.49, 0.49)(this->random);
        // In some vectors, elements have very different magnitudes.
        const int lower = i % 4 == 1 ? static_cast<int>(this->random() % (2 * range)) : 0;
        a[i * width + k] = static_cast<T>(
            static_cast<double>(std::ldexp(static_cast<long double>(value), exponent - lower)));
        b[i * width + k] = i % 8 == 0 ? a[i * width + k] : static_cast<T>(-a[i * width + k] / 2);
      }
    }
    program.run(("k" + std::to_string(width)).c_str(), {1, {kCount, 1, 1}, {64, 1, 1}}, {a, b, c, out});
    for (std::size_t i = 0; i < kCount; ++i) {
      long double dot = 0, size = 0, square = 0, apart = 0;
      for (int k = 0; k < width; ++k) {
        const long double x = static_cast<double>(a[i * width + k]),
                          y = static_cast<double>(b[i * width + k]);
        dot += x * y;
        size += std::fabs(x * y);
        square += x * x;
        apart += (x - y) * (x - y);
      }
      const double bound = 2.75 + 0.5 * width;
      const long double smallest = std::ldexp(1.0L, kLeastExponent<T> - kDigits<T> + 1),
                        largest = std::ldexp(1.0L, 2 - kLeastExponent<T>);
      if (size < largest / 2) {
        ASSERT_LE(std::fabs(static_cast<double>(out[8 * i]) - dot),
                  (2 * width - 1) * (size * std::ldexp(1.0L, -kDigits<T> + 1) + smallest));
      }
      ASSERT_LE(ulp_error(out[8 * i + 1], std::sqrt(square)), bound)
          << "length " << static_cast<double>(std::sqrt(square));
      if (std::sqrt(apart) < largest / 2)
        ASSERT_LE(ulp_error(out[8 * i + 2], std::sqrt(apart)), bound + 0.5) << "distance";
      for (int k = 0; k < width; ++k) {
        const long double x = static_cast<double>(a[i * width + k]);
        const long double wanted = square == 0 ? x : x / std::sqrt(square);
        ASSERT_LE(ulp_error(out[8 * i + 3 + k], wanted), 2 + 0.5 * width)
            << "normalize " << static_cast<double>(x);
      }
    }
  }
}

// Quotients and roots that only some work-items need, some in nested conditional expressions.
TYPED_TEST(FloatingFunctions, ChosenQuotientsAndRoots) {
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  using T = typename TypeParam::Type;
  constexpr std::size_t kCount = 256;
  const std::string type = TypeTraits<T>::name;
  DeviceProgram program(
      kHalfOn + ("kernel void k(global const " + type + "* a, global " + type + "* out) {\n") +
      "  size_t i = get_global_id(0);\n  " + type +
      " x = a[2 * i], y = a[2 * i + 1], quotient = x, rest = y;\n"
      "  if (x < y) { quotient = x / y; rest = quotient + 1; }\n"
      "  out[3 * i] = quotient;\n  out[3 * i + 1] = rest;\n"
      "  out[3 * i + 2] = i % 3 == 0 ? sqrt(x) : i % 3 == 1 ? (y > 2 ? y / x : x / y) : y;\n}\n");
  std::vector<T> a(2 * kCount), out(3 * kCount);
  for (T& value : a) value = T(std::uniform_real_distribution<float>(1, 4)(this->random));
  program.run("k", {1, {kCount, 1, 1}, {32, 1, 1}}, {a, out});
  for (std::size_t i = 0; i < kCount; ++i) {
    const double x = static_cast<double>(a[2 * i]), y = static_cast<double>(a[2 * i + 1]);
    const double chosen = i % 3 == 0 ? std::sqrt(x) : i % 3 == 1 ? (y > 2 ? y / x : x / y) : y;
    EXPECT_LE(ulp_error(out[3 * i], x < y ? x / y : x), 2.5) << x << " " << y;
    EXPECT_LE(ulp_error(out[3 * i + 1], x < y ? x / y + 1 : y), 2.5) << x << " " << y;
    EXPECT_LE(ulp_error(out[3 * i + 2], chosen), 3) << i << ": " << x << " " << y;
  }
}

}  // namespace
}  // namespace clcuda::test
