// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

// Test values for kernels: edge cases and random numbers of each OpenCL type, and the error of a result in ulp.
namespace clcuda::test {

using Half = _Float16;
inline constexpr std::array kWidths{1, 2, 3, 4, 8, 16};

// A wrapper for GoogleTest's Types, which need a type_info; the compiler has none for _Float16.
template <class T>
struct Of {
  using Type = T;
};

template <class T>
struct TypeTraits;
#define CLCUDA_TEST_TYPE(type, unsigned_type, text) \
  template <>                                       \
  struct TypeTraits<type> {                         \
    static constexpr const char* name = text;       \
    using Bits = unsigned_type;                     \
  };
CLCUDA_TEST_TYPE(cl_char, std::uint8_t, "char")
CLCUDA_TEST_TYPE(cl_uchar, std::uint8_t, "uchar")
CLCUDA_TEST_TYPE(cl_short, std::uint16_t, "short")
CLCUDA_TEST_TYPE(cl_ushort, std::uint16_t, "ushort")
CLCUDA_TEST_TYPE(cl_int, std::uint32_t, "int")
CLCUDA_TEST_TYPE(cl_uint, std::uint32_t, "uint")
CLCUDA_TEST_TYPE(cl_long, std::uint64_t, "long")
CLCUDA_TEST_TYPE(cl_ulong, std::uint64_t, "ulong")
CLCUDA_TEST_TYPE(Half, std::uint16_t, "half")
CLCUDA_TEST_TYPE(float, std::uint32_t, "float")
CLCUDA_TEST_TYPE(double, std::uint64_t, "double")
#undef CLCUDA_TEST_TYPE

template <class T>
inline constexpr bool kIsFloating = std::is_same_v<T, Half> || std::is_floating_point_v<T>;
template <class T>
typename TypeTraits<T>::Bits bits_of(T value) {
  return std::bit_cast<typename TypeTraits<T>::Bits>(value);
}
template <class T>
T from_bits(typename TypeTraits<T>::Bits bits) {
  return std::bit_cast<T>(bits);
}

// The number of significant bits, and the exponent of the least normal number.
template <class T>
inline constexpr int kDigits = sizeof(T) == 2   ? 11
                               : sizeof(T) == 4 ? 24
                                                : 53;
template <class T>
inline constexpr int kLeastExponent = sizeof(T) == 2   ? -14
                                      : sizeof(T) == 4 ? -126
                                                       : -1022;
template <class T>
std::string vector_type(int width) {
  return TypeTraits<T>::name + (width == 1 ? std::string() : std::to_string(width));
}

// How many elements a vector occupies in memory (OpenCL C 6.3.5).
constexpr int places_of(int width) { return width == 3 ? 4 : width; }

// Zeros, ones, halves, the ends of each range, infinities and NaN; for integers the ends and the powers of two.
template <class T>
std::vector<T> edge_values() {
  std::vector<T> values;
  if constexpr (kIsFloating<T>) {
    using Bits = typename TypeTraits<T>::Bits;
    const T infinity = static_cast<T>(std::numeric_limits<float>::infinity());
    const Bits infinite = bits_of(infinity), least_normal = static_cast<Bits>(Bits{1} << (kDigits<T> - 1));
    std::vector<T> positive{T(0),
                            T(1),
                            T(2),
                            T(3),
                            T(0.5),
                            T(1.5),
                            T(2.5),
                            T(0.25),
                            T(10),
                            T(127),
                            T(128),
                            T(255),
                            T(256),
                            T(1024),
                            T(3.14159265358979),
                            T(1.57079632679490),
                            infinity,
                            from_bits<T>(static_cast<Bits>(infinite - 1)),
                            from_bits<T>(least_normal),
                            from_bits<T>(static_cast<Bits>(least_normal - 1)),
                            from_bits<T>(1),
                            from_bits<T>(static_cast<Bits>(infinite + 1 + (infinite >> 2) / 4)),
                            from_bits<T>(static_cast<Bits>(bits_of(T(1)) - 1)),
                            from_bits<T>(static_cast<Bits>(bits_of(T(1)) + 1)),
                            from_bits<T>(static_cast<Bits>(bits_of(T(0.5)) - 1))};
    for (const T value : positive) {
      values.push_back(value);
      values.push_back(-value);
    }
  } else {
    for (int bit = 0; bit < static_cast<int>(8 * sizeof(T)); ++bit) {
      const std::uint64_t power = std::uint64_t{1} << bit;
      values.insert(values.end(),
                    {static_cast<T>(power), static_cast<T>(power - 1), static_cast<T>(0 - power)});
    }
  }
  return values;
}

// Edge values, then random bits; for floating-point types half of them are numbers between -128 and 128.
template <class T>
std::vector<T> test_values(std::size_t count, std::mt19937_64& random) {
  std::vector<T> values = edge_values<T>();
  while (values.size() < count) {
    if constexpr (kIsFloating<T>) {
      if (values.size() % 2 != 0) {
        values.push_back(static_cast<T>(std::uniform_real_distribution<double>(-128, 128)(random)));
        continue;
      }
    }
    values.push_back(from_bits<T>(static_cast<typename TypeTraits<T>::Bits>(random())));
  }
  values.resize(count);
  return values;
}

// The difference between a result and the exact value, in ulp of the exact value. Values beyond the greatest number round to infinity.
template <class T>
double ulp_error(T result, long double exact) {
  const auto actual = static_cast<long double>(static_cast<double>(result));
  if (std::isnan(exact)) return std::isnan(actual) ? 0 : INFINITY;
  if (std::isnan(actual)) return INFINITY;
  const long double limit = std::ldexp(1.0L, 2 - kLeastExponent<T>);
  const long double half_ulp_of_greatest = std::ldexp(1.0L, 1 - kLeastExponent<T> - kDigits<T>);
  if (std::isinf(exact)) return actual == exact ? 0 : INFINITY;
  if (std::isinf(actual)) {
    if (std::signbit(actual) != std::signbit(exact)) return INFINITY;
    if (std::fabs(exact) >= limit - half_ulp_of_greatest) return 0;
  }
  if (exact == 0)
    return actual == 0 ? 0
                       : static_cast<double>(std::fabs(actual) /
                                             std::ldexp(1.0L, kLeastExponent<T> - kDigits<T> + 1));
  const int exponent = std::max(std::ilogb(exact), kLeastExponent<T>);
  const long double near = std::isinf(actual) ? std::copysign(limit, actual) : actual;
  return static_cast<double>(std::fabs(near - exact) / std::ldexp(1.0L, exponent - kDigits<T> + 1));
}

}  // namespace clcuda::test
