// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

// OpenCL C's scalar types and their arithmetic, implemented on the host on raw bits in 64-bit words.
namespace random_kernels {

struct Type {
  const char* name;
  unsigned bits;
  bool has_sign;
  bool is_float = false;
  friend bool operator==(const Type& a, const Type& b) { return a.name == b.name; }
};
inline constexpr std::array<Type, 8> kIntegers{{{"char", 8, true},
                                                {"uchar", 8, false},
                                                {"short", 16, true},
                                                {"ushort", 16, false},
                                                {"int", 32, true},
                                                {"uint", 32, false},
                                                {"long", 64, true},
                                                {"ulong", 64, false}}};
inline constexpr std::array<Type, 2> kFloats{{{"float", 32, true, true}, {"double", 64, true, true}}};

using Raw = std::uint64_t;
using Wide = __int128;

inline Type integer_of(unsigned bits, bool has_sign) {
  for (const Type& type : kIntegers)
    if (type.bits == bits && type.has_sign == has_sign) return type;
  return kIntegers[4];
}
inline Raw mask_of(const Type& type) { return ~Raw{0} >> (64 - type.bits); }
inline Wide lowest(const Type& type) { return type.has_sign ? -(Wide{1} << (type.bits - 1)) : 0; }
inline Wide highest(const Type& type) { return (Wide{1} << (type.bits - type.has_sign)) - 1; }

inline Wide number(const Type& type, Raw raw) {
  const Wide value = raw & mask_of(type);
  return type.has_sign && value > highest(type) ? value - (Wide{1} << type.bits) : value;
}
inline Raw wrap(const Type& type, Wide value) { return static_cast<Raw>(value) & mask_of(type); }
inline Raw saturate(const Type& type, Wide value) {
  return wrap(type, value < lowest(type) ? lowest(type) : value > highest(type) ? highest(type) : value);
}

inline double real(const Type& type, Raw raw) {
  return type.bits == 32 ? std::bit_cast<float>(static_cast<std::uint32_t>(raw)) : std::bit_cast<double>(raw);
}
// All NaNs are represented by the same bits, because the language does not define them.
inline Raw raw_of(double value) { return std::isnan(value) ? Raw{0x7ff8} << 48 : std::bit_cast<Raw>(value); }
inline Raw raw_of(float value) {
  return std::isnan(value) ? 0x7fc00000 : std::bit_cast<std::uint32_t>(value);
}
inline Raw raw_of_real(const Type& type, double value) {
  return type.bits == 32 ? raw_of(static_cast<float>(value)) : raw_of(value);
}

// Section 6.4.3.2: to nearest even, towards zero, positive and negative infinity.
enum class Rounding { none, rte, rtz, rtp, rtn };
inline constexpr std::array kRoundings{"", "_rte", "_rtz", "_rtp", "_rtn"};

// Adjusts the nearest value for a rounding direction. `exact` can hold any value of the source type.
template <class Float>
Float directed(Float nearest, long double exact, Rounding rounding) {
  constexpr Float kInfinity = std::numeric_limits<Float>::infinity();
  const bool down = rounding == Rounding::rtn || (rounding == Rounding::rtz && exact > 0);
  const bool up = rounding == Rounding::rtp || (rounding == Rounding::rtz && exact < 0);
  if (down && static_cast<long double>(nearest) > exact) return std::nextafter(nearest, -kInfinity);
  if (up && static_cast<long double>(nearest) < exact) return std::nextafter(nearest, kInfinity);
  return nearest;
}
inline Raw to_float(const Type& type, long double exact, Rounding rounding) {
  if (type.bits == 64) return raw_of(directed(static_cast<double>(exact), exact, rounding));
  return raw_of(directed(static_cast<float>(exact), exact, rounding));
}
// With _sat; without a rounding mode, rounds towards zero.
inline Raw to_integer(const Type& type, double value, Rounding rounding) {
  if (std::isnan(value)) return 0;
  switch (rounding) {
    case Rounding::rte:
      value = std::nearbyint(value);
      break;
    case Rounding::rtp:
      value = std::ceil(value);
      break;
    case Rounding::rtn:
      value = std::floor(value);
      break;
    default:
      value = std::trunc(value);
  }
  const double limit = 0x1p66;
  return saturate(type, static_cast<Wide>(std::fmin(std::fmax(value, -limit), limit)));
}

}  // namespace random_kernels
