// SPDX-License-Identifier: Apache-2.0
// convert_<type>[_sat][_<rounding>] between all types (OpenCL C 6.4.3): every value of the 8- and 16-bit types, samples of wider ones, with
// exact results; vectors of some widths compared with scalars.
#include <gtest/gtest.h>

#include <cfenv>

#include "device_program.h"
#include "some_of.h"
#include "values.h"

namespace clcuda::test {
namespace {

struct Mode {
  const char* suffix;
  int direction;  // of <cfenv>
};
constexpr Mode kModes[] = {
    {"", -1}, {"_rte", FE_TONEAREST}, {"_rtz", FE_TOWARDZERO}, {"_rtp", FE_UPWARD}, {"_rtn", FE_DOWNWARD}};

// The exact value of any number: long double holds 64 bits.
template <class T>
long double exact(T value) {
  if constexpr (std::is_same_v<T, Half>)
    return static_cast<float>(value);
  else
    return static_cast<long double>(value);
}

long double rounded_to_whole(long double value, int direction) {
  switch (direction) {
    case FE_TOWARDZERO:
      return std::trunc(value);
    case FE_UPWARD:
      return std::ceil(value);
    case FE_DOWNWARD:
      return std::floor(value);
    default: {
      const long double below = std::floor(value), rest = value - below;
      if (rest != 0.5L) return rest < 0.5L ? below : below + 1;
      return std::fmod(below, 2.0L) == 0 ? below : below + 1;
    }
  }
}

// Rounds to `digits` significant bits, subnormal numbers included; beyond the greatest number the result is that or infinity.
template <class To>
To rounded_to_float(long double value, int direction) {
  if (std::isnan(value) || std::isinf(value) || value == 0)
    return static_cast<To>(static_cast<double>(value));
  const int last_place = std::max(std::ilogb(value), kLeastExponent<To>) - kDigits<To> + 1;
  const long double whole = rounded_to_whole(std::ldexp(value, -last_place), direction);
  const long double result = std::ldexp(whole, last_place);
  const long double limit = std::ldexp(1.0L, 2 - kLeastExponent<To>);
  if (std::fabs(result) < limit)
    return static_cast<To>(static_cast<double>(whole == 0 ? std::copysign(0.0L, value) : result));
  const bool to_infinity = direction == FE_TONEAREST || direction == (value > 0 ? FE_UPWARD : FE_DOWNWARD);
  const long double greatest = limit - std::ldexp(1.0L, 2 - kLeastExponent<To> - kDigits<To>);
  return static_cast<To>(
      static_cast<double>(std::copysign(to_infinity ? static_cast<long double>(INFINITY) : greatest, value)));
}

// Whether the language defines the result. It does not for a floating-point value outside of the range of an integer type without _sat.
// Integers outside of the range wrap.
template <class From, class To>
bool expected(From from, bool saturate, int direction, To& result) {
  if constexpr (kIsFloating<To>) {
    result = rounded_to_float<To>(exact(from), direction == -1 ? FE_TONEAREST : direction);
    return true;
  } else if constexpr (!kIsFloating<From>) {
    result = static_cast<To>(from);
    if (saturate) {
      const long double low = exact(std::numeric_limits<To>::min()),
                        high = exact(std::numeric_limits<To>::max());
      if (exact(from) < low) result = std::numeric_limits<To>::min();
      if (exact(from) > high) result = std::numeric_limits<To>::max();
    }
    return true;
  } else {
    const long double low = exact(std::numeric_limits<To>::min()),
                      high = exact(std::numeric_limits<To>::max());
    if (std::isnan(exact(from))) {
      result = 0;
      return saturate;
    }
    const long double whole = rounded_to_whole(exact(from), direction == -1 ? FE_TOWARDZERO : direction);
    if (whole >= low && whole <= high) {
      result = static_cast<To>(whole);
      return true;
    }
    result = whole < low ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
    return saturate;
  }
}

template <class From>
std::vector<From> inputs(std::mt19937_64& random) {
  if constexpr (sizeof(From) <= 2) {
    std::vector<From> all(std::size_t{1} << 8 * sizeof(From));
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = from_bits<From>(static_cast<typename TypeTraits<From>::Bits>(i));
    return all;
  } else {
    std::vector<From> values = test_values<From>(1 << 13, random);
    if constexpr (kIsFloating<From>) {  // around the whole numbers, the halves between, and the ends of the
                                        // integer types
      for (std::size_t i = values.size() / 2; i < values.size(); ++i) {
        const double power = std::ldexp(random() % 2 ? 1.0 : -1.0, static_cast<int>(random() % 66) - 1);
        values[i] = static_cast<From>(power + 0.5 * (static_cast<double>(random() % 9) - 4));
        if (random() % 2)
          values[i] = from_bits<From>(bits_of(values[i]) +
                                      static_cast<typename TypeTraits<From>::Bits>(random() % 5) - 2);
      }
    } else {
      for (std::size_t i = values.size() / 2; i < values.size(); ++i)
        values[i] = static_cast<From>(values[i] >> random() % (8 * sizeof(From)));
    }
    return values;
  }
}

// The vector widths that are tested in each mode. The scalar function is tested with every value, vector functions for equal results per
// component.
using WidthsOfModes = std::array<std::vector<int>, std::size(kModes)>;

template <class To>
std::string function_name(int width, bool saturate, const Mode& mode) {
  return "convert_" + vector_type<To>(width) + (saturate ? "_sat" : "") + mode.suffix;
}

// Kernels of the scalar function and of some vector functions in each mode; the kernels' names begin with k.
template <class From, class To>
std::string source(bool saturate, const WidthsOfModes& vector_widths) {
  std::string text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  const auto add = [&](const Mode& mode, int width) {
    const std::string n = std::to_string(width), name = function_name<To>(width, saturate, mode);
    text += "kernel void k" + name + "(global const " + TypeTraits<From>::name + "* in, global " +
            TypeTraits<To>::name + "* out) {\n  size_t i = get_global_id(0);\n  " +
            (width == 1 ? "out[i] = " + name + "(in[i])"
                        : "vstore" + n + "(" + name + "(vload" + n + "(i, in)), i, out)") +
            ";\n}\n";
  };
  for (std::size_t m = 0; m < std::size(kModes); ++m) {
    add(kModes[m], 1);
    for (const int width : vector_widths[m]) add(kModes[m], width);
  }
  return text;
}

template <class T>
bool available() {
  return !kIsFloating<T> || sizeof(T) == 4 ||
         device_has_extension(sizeof(T) == 8 ? "cl_khr_fp64" : "cl_khr_fp16");
}

template <class From, class To>
void check_pair(std::mt19937_64& random) {
  if (!available<From>() || !available<To>()) return;
  const std::vector<From> in = inputs<From>(random);
  for (const bool saturate : {false, true}) {
    if (saturate && kIsFloating<To>) continue;
    WidthsOfModes vector_widths;
    for (std::vector<int>& some : vector_widths) some = some_of(std::vector{2, 3, 4, 8, 16}, 1, random);
    DeviceProgram program(source<From, To>(saturate, vector_widths));
    for (std::size_t m = 0; m < std::size(kModes); ++m) {
      const Mode& mode = kModes[m];
      std::vector<From> from = in;
      std::vector<To> scalar(in.size());
      program.run(("k" + function_name<To>(1, saturate, mode)).c_str(), {1, {in.size(), 1, 1}, {64, 1, 1}},
                  {from, scalar});
      for (std::size_t i = 0; i < in.size(); ++i) {
        To wanted{};
        if (!expected(in[i], saturate, mode.direction, wanted)) continue;
        const bool both_nan = wanted != wanted && scalar[i] != scalar[i];
        ASSERT_TRUE(both_nan || bits_of(scalar[i]) == bits_of(wanted))
            << function_name<To>(1, saturate, mode) << "(" << TypeTraits<From>::name << " "
            << static_cast<double>(in[i]) << ") = " << static_cast<double>(scalar[i]) << ", not "
            << static_cast<double>(wanted);
      }
      for (const int width : vector_widths[m]) {
        const std::size_t count = 240 / width;
        std::vector<To> vectors(count * width);
        program.run(("k" + function_name<To>(width, saturate, mode)).c_str(),
                    {1, {count, 1, 1}, {count, 1, 1}}, {from, vectors});
        for (std::size_t i = 0; i < vectors.size(); ++i) {
          ASSERT_TRUE(bits_of(vectors[i]) == bits_of(scalar[i]) ||
                      (vectors[i] != vectors[i] && scalar[i] != scalar[i]))
              << function_name<To>(width, saturate, mode) << " from " << TypeTraits<From>::name;
        }
      }
    }
  }
}

template <class Tag>
struct Conversions : testing::Test {
  using T = typename Tag::Type;
  std::mt19937_64 random{std::random_device{}()};
};
using Types = testing::Types<Of<cl_char>, Of<cl_uchar>, Of<cl_short>, Of<cl_ushort>, Of<cl_int>, Of<cl_uint>,
                             Of<cl_long>, Of<cl_ulong>, Of<Half>, Of<float>, Of<double>>;
TYPED_TEST_SUITE(Conversions, Types);

TYPED_TEST(Conversions, ToIntegers) {
  using T = typename TypeParam::Type;
  check_pair<T, cl_char>(this->random);
  check_pair<T, cl_uchar>(this->random);
  check_pair<T, cl_short>(this->random);
  check_pair<T, cl_ushort>(this->random);
  check_pair<T, cl_int>(this->random);
  check_pair<T, cl_uint>(this->random);
  check_pair<T, cl_long>(this->random);
  check_pair<T, cl_ulong>(this->random);
}

TYPED_TEST(Conversions, ToFloatingPoint) {
  using T = typename TypeParam::Type;
  check_pair<T, Half>(this->random);
  check_pair<T, float>(this->random);
  check_pair<T, double>(this->random);
}

}  // namespace
}  // namespace clcuda::test
