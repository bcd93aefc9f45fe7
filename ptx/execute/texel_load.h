// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "ptx/execute/texture.h"

// Reads one element of a format as a texture returns it: four channels, of which those that the format lacks are 0, 0, 1.
namespace clcuda::ptx {

using Floats = float __attribute__((vector_size(16)));

// The bits of a half; a type of its own, to differ from 16-bit integers.
struct HalfBits {
  std::uint16_t bits;
};

inline float single_of(HalfBits half) {
  constexpr std::uint32_t kExponent = 0x7c00u << 13;
  std::uint32_t bits = (half.bits & 0x7fffu) << 13;
  const std::uint32_t exponent = bits & kExponent;
  bits += (127u - 15u) << 23;
  float value = 0;
  if (exponent == kExponent) {  // infinity or NaN
    value = std::bit_cast<float>(bits + ((128u - 16u) << 23));
  } else if (exponent == 0) {  // zero or subnormal: renormalised by a subtraction
    value = std::bit_cast<float>(bits + (1u << 23)) - std::bit_cast<float>(113u << 23);
  } else {
    value = std::bit_cast<float>(bits);
  }
  return half.bits & 0x8000 ? -value : value;
}

// How integer channels are returned: as they are, as floating-point numbers in [0, 1] or [-1, 1], or these converted from sRGB.
enum class Promotion { none, to_float, srgb };

// The linear values of the 8-bit sRGB values 0 to 255.
const float (&srgb_table())[256];

template <class Element, unsigned channels, Promotion promotion>
inline Channels load_element(const std::byte* from) {
  Element element[channels];
  std::memcpy(element, from, sizeof element);
  if constexpr (std::is_same_v<Element, float> || std::is_same_v<Element, HalfBits>) {
    Floats value{0, 0, 0, 1};
    for (unsigned i = 0; i < channels; ++i) {
      if constexpr (std::is_same_v<Element, float>)
        value[i] = element[i];
      else
        value[i] = single_of(element[i]);
    }
    return std::bit_cast<Channels>(value);
  } else if constexpr (promotion == Promotion::none) {
    Channels value{0, 0, 0, 1};
    for (unsigned i = 0; i < channels; ++i) value[i] = static_cast<std::uint32_t>(element[i]);
    return value;
  } else {
    constexpr float kOne = static_cast<float>(std::numeric_limits<Element>::max());
    Floats value{0, 0, 0, kOne};
    for (unsigned i = 0; i < channels; ++i) value[i] = static_cast<float>(element[i]);
    value = value / kOne;
    if constexpr (std::is_signed_v<Element>)
      for (unsigned i = 0; i < channels; ++i) value[i] = std::max(value[i], -1.0f);
    if constexpr (promotion == Promotion::srgb && std::is_same_v<Element, std::uint8_t>)
      for (unsigned i = 0; i < std::min(channels, 3u); ++i) value[i] = srgb_table()[element[i]];
    return std::bit_cast<Channels>(value);
  }
}

}  // namespace clcuda::ptx
