// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace clcuda::ptx {

enum class Rounding : std::uint8_t { nearest, down, up, to_zero };

// Converts a double to the bits of a 16-bit floating-point format, rounding once: narrow<5, 10> gives half, narrow<8, 7> bfloat.
template <int exponent_bits, int mantissa_bits>
std::uint16_t narrow(double value, Rounding rounding) {
  constexpr int kBias = (1 << (exponent_bits - 1)) - 1;
  constexpr std::uint16_t kInfinity = ((1 << exponent_bits) - 1) << mantissa_bits;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7fff;
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | kInfinity;
  if (magnitude == 0) return sign;
  int exponent;
  std::frexp(magnitude, &exponent);
  const int unit = std::max(exponent - 1, 1 - kBias) - mantissa_bits;  // of the last place
  const double scaled = std::ldexp(magnitude, -unit);
  const bool away = (rounding == Rounding::up && !sign) || (rounding == Rounding::down && sign);
  const double whole = rounding == Rounding::nearest ? std::nearbyint(scaled)
                       : away                        ? std::ceil(scaled)
                                                     : std::floor(scaled);
  const double result = std::ldexp(whole, unit);
  const double largest = std::ldexp(2.0 - std::ldexp(1.0, -mantissa_bits), kBias);
  if (result > largest) return sign | (away || rounding == Rounding::nearest ? kInfinity : kInfinity - 1);
  if (result < std::ldexp(1.0, 1 - kBias)) return sign | static_cast<std::uint16_t>(whole);
  const int raised = std::ilogb(result);
  const int bits = static_cast<int>(std::ldexp(result, mantissa_bits - raised)) & ((1 << mantissa_bits) - 1);
  return static_cast<std::uint16_t>(sign | (raised + kBias) << mantissa_bits | bits);
}

}  // namespace clcuda::ptx
