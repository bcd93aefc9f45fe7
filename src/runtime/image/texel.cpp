// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/default_floating_mode.h"

namespace clcuda {
namespace {

float srgb_of(float linear) {
  if (std::isnan(linear) || linear < 0.0f) return 0.0f;
  if (linear > 1.0f) return 1.0f;
  return linear < 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

// Rounds to nearest; NaN becomes 0.
std::uint32_t scaled(float value, float least, float most) {
  if (std::isnan(value)) return 0;
  return static_cast<std::uint32_t>(
      static_cast<std::int32_t>(std::nearbyint(std::clamp(value, least, 1.0f) * most)));
}

std::uint32_t half_of(float value) {
  const auto half = static_cast<_Float16>(value);
  std::uint16_t bits = 0;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

std::uint32_t channel_of(cl_channel_type type, std::uint32_t component) {
  float value = 0;
  std::memcpy(&value, &component, sizeof value);
  const auto number = static_cast<std::int32_t>(component);
  switch (type) {
    case CL_SNORM_INT8:
      return scaled(value, -1.0f, 127.0f);
    case CL_SNORM_INT16:
      return scaled(value, -1.0f, 32767.0f);
    case CL_UNORM_INT8:
      return scaled(value, 0.0f, 255.0f);
    case CL_UNORM_INT16:
      return scaled(value, 0.0f, 65535.0f);
    case CL_SIGNED_INT8:
      return static_cast<std::uint32_t>(std::clamp(number, -128, 127));
    case CL_SIGNED_INT16:
      return static_cast<std::uint32_t>(std::clamp(number, -32768, 32767));
    case CL_UNSIGNED_INT8:
      return std::min(component, 255u);
    case CL_UNSIGNED_INT16:
      return std::min(component, 65535u);
    case CL_HALF_FLOAT:
      return half_of(value);
    default:
      return component;
  }
}

// Packed formats: the lowest bits of red, green, blue and alpha, and their greatest values.
struct Fields {
  std::array<unsigned, 4> lowest_bit;
  std::array<float, 4> most;
};
Fields fields_of(cl_channel_type type) {
  switch (type) {
    case CL_UNORM_SHORT_565:
      return {{11, 5, 0, 0}, {31, 63, 31, 0}};
    case CL_UNORM_SHORT_555:
      return {{10, 5, 0, 0}, {31, 31, 31, 0}};
    case CL_UNORM_INT_101010:
      return {{20, 10, 0, 0}, {1023, 1023, 1023, 0}};
    case CL_UNORM_INT_101010_2:
      return {{22, 12, 2, 0}, {1023, 1023, 1023, 3}};
    default:
      return {{0, 10, 20, 30}, {1023, 1023, 1023, 3}};
  }
}

std::uint32_t packed(cl_channel_type type, const std::array<std::uint32_t, 4>& components) {
  const Fields fields = fields_of(type);
  std::uint32_t texel = 0;
  for (unsigned i = 0; i < 4; ++i)
    texel |= scaled(std::bit_cast<float>(components[i]), 0.0f, fields.most[i]) << fields.lowest_bit[i];
  return texel;
}

}  // namespace

std::array<std::byte, 16> texel_of_color(const ImageFormat& format, const void* color) {
  const DefaultFloatingMode mode;
  std::array<std::uint32_t, 4> components{};
  std::memcpy(components.data(), color, format.is_depth() ? sizeof(float) : sizeof components);
  if (format.srgb) {
    std::array<float, 4> values{};
    std::memcpy(values.data(), components.data(), sizeof values);
    std::transform(values.begin(), values.begin() + 3, values.begin(), srgb_of);
    std::memcpy(components.data(), values.data(), sizeof values);
  }
  std::array<std::byte, 16> texel{};
  if (format.is_packed()) {
    const std::uint32_t bits = packed(format.name.image_channel_data_type, components);
    std::memcpy(texel.data(), &bits, format.texel_size);
    return texel;
  }
  const std::size_t size = format.texel_size / format.channels;
  for (unsigned channel = 0; channel < format.channels; ++channel) {
    const unsigned which = format.texel.write_order >> 4 * channel & 0xf;
    const std::uint32_t bits = channel_of(format.name.image_channel_data_type, components[which]);
    std::memcpy(texel.data() + channel * size, &bits, size);
  }
  return texel;
}

}  // namespace clcuda
