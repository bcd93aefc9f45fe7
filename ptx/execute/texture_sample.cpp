// SPDX-License-Identifier: Apache-2.0
// Texture fetching as defined in the appendix of that name in the CUDA programming guide. Weights of linear filtering are exact, whereas
// hardware rounds them to 8 fractional bits.
#include "ptx/execute/texture_sample.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ptx/execute/texel_load.h"

namespace clcuda::ptx {
namespace {

constexpr std::int32_t kOutside = -1;  // index of the border

struct Split {
  std::int32_t floor;
  float fraction;
};

// Splits x, which may be any value, after clamping it to [-2, extent + 1].
Split split_within(float x, std::uint32_t extent) {
  const float bounded = std::min(std::max(x == x ? x : 0.0f, -2.0f), static_cast<float>(extent) + 1);
  const auto truncated = static_cast<std::int32_t>(bounded);
  const std::int32_t floor = truncated - (static_cast<float>(truncated) > bounded);
  return {floor, bounded - static_cast<float>(floor)};
}

// x - floor(x). Every number beyond 2^23 is an integer.
float fraction(float x) {
  if (!(std::abs(x) < 8388608.0f)) return 0;
  const auto truncated = static_cast<float>(static_cast<std::int32_t>(x));
  return x - (truncated > x ? truncated - 1 : truncated);
}

// A coordinate in texels; from 0 to `extent` for wrapping and mirroring.
float in_elements(float at, std::uint32_t extent, AddressMode mode, bool normalized) {
  const auto size = static_cast<float>(extent);
  if (!normalized) return at;
  if (mode == AddressMode::wrap) return fraction(at) * size;
  // If the integer part is even, the fraction counts up, otherwise down.
  if (mode == AddressMode::mirror) return std::abs(at - 2 * std::rint(0.5f * at)) * size;
  return at * size;
}

std::int32_t addressed(std::int32_t index, std::uint32_t extent, AddressMode mode, bool normalized) {
  const auto last = static_cast<std::int32_t>(extent) - 1;
  if (static_cast<std::uint32_t>(index) < extent) [[likely]]
    return index;
  if (mode == AddressMode::border) return kOutside;
  if (mode == AddressMode::wrap && normalized) return index < 0 ? last : 0;
  return index < 0 ? 0 : last;
}

struct Axis {
  std::int32_t low, high;
  float weight;  // of `high`
};

Axis linear_axis(float at, std::uint32_t extent, AddressMode mode, bool normalized) {
  const float x = in_elements(at, extent, mode, normalized) - 0.5f;
  const auto [low, weight] = split_within(x, extent);
  return {addressed(low, extent, mode, normalized), addressed(low + 1, extent, mode, normalized), weight};
}

std::int32_t nearest_axis(float at, std::uint32_t extent, AddressMode mode, bool normalized) {
  const float x = in_elements(at, extent, mode, normalized);
  return addressed(split_within(x, extent).floor, extent, mode, normalized);
}

template <class Load>
struct Fetcher {
  const Texture& texture;
  const TexelGrid& grid;
  const std::byte* base;

  Channels operator()(std::int32_t x, std::int32_t y, std::int32_t z) const {
    if ((x | y | z) < 0) return texture.border;
    return Load::load(texture, base + static_cast<std::uint64_t>(z) * grid.slice_pitch +
                                   static_cast<std::uint64_t>(y) * grid.row_pitch +
                                   static_cast<std::uint64_t>(x) * Load::bytes(texture));
  }
  Floats floats(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return std::bit_cast<Floats>((*this)(x, y, z));
  }
};

Floats mix(Floats a, Floats b, float weight) { return a * (1 - weight) + b * weight; }

template <class Load>
Fetcher<Load> fetcher(const Texture& texture, const TexelGrid& grid, std::uint32_t layer) {
  return {texture, grid, grid.base + layer * grid.slice_pitch};
}

template <unsigned dimensions, class Load>
Channels sample_nearest(const Texture& texture, const TexelGrid& grid, std::uint32_t layer,
                        const float (&at)[3]) {
  const Sampling& s = texture.sampling;
  const bool n = s.normalized_coordinates;
  const std::int32_t x = nearest_axis(at[0], grid.width, s.address[0], n);
  const std::int32_t y = dimensions > 1 ? nearest_axis(at[1], grid.height, s.address[1], n) : 0;
  const std::int32_t z = dimensions > 2 ? nearest_axis(at[2], grid.depth, s.address[2], n) : 0;
  return fetcher<Load>(texture, grid, layer)(x, y, z);
}

template <unsigned dimensions, class Load>
Channels sample_linear(const Texture& texture, const TexelGrid& grid, std::uint32_t layer,
                       const float (&at)[3]) {
  const Sampling& s = texture.sampling;
  const bool n = s.normalized_coordinates;
  const auto fetch = fetcher<Load>(texture, grid, layer);
  const Axis x = linear_axis(at[0], grid.width, s.address[0], n);
  const auto row = [&](std::int32_t y, std::int32_t z) {
    return mix(fetch.floats(x.low, y, z), fetch.floats(x.high, y, z), x.weight);
  };
  if constexpr (dimensions == 1) {
    return std::bit_cast<Channels>(row(0, 0));
  } else {
    const Axis y = linear_axis(at[1], grid.height, s.address[1], n);
    const auto plane = [&](std::int32_t z) { return mix(row(y.low, z), row(y.high, z), y.weight); };
    if constexpr (dimensions == 2) {
      return std::bit_cast<Channels>(plane(0));
    } else {
      const Axis z = linear_axis(at[2], grid.depth, s.address[2], n);
      return std::bit_cast<Channels>(mix(plane(z.low), plane(z.high), z.weight));
    }
  }
}

struct AnyLoad {
  static Channels load(const Texture& texture, const std::byte* at) { return texture.load(at); }
  static std::uint32_t bytes(const Texture& texture) { return texture.resource.format.bytes(); }
};

template <class Element, unsigned channels, Promotion promotion>
struct FixedLoad {
  static Channels load(const Texture&, const std::byte* at) {
    return load_element<Element, channels, promotion>(at);
  }
  static std::uint32_t bytes(const Texture&) { return sizeof(Element) * channels; }
  static bool serves(const Texture& texture) {
    return texture.load == load_element<Element, channels, promotion>;
  }
};

template <class Load>
decltype(Texture::sample) sample_with(const Texture& texture) {
  const unsigned dimensions = texture.resource.dimensions;
  if (texture.sampling.linear && texture.gives_floats)
    return dimensions == 1   ? sample_linear<1, Load>
           : dimensions == 2 ? sample_linear<2, Load>
                             : sample_linear<3, Load>;
  return dimensions == 1   ? sample_nearest<1, Load>
         : dimensions == 2 ? sample_nearest<2, Load>
                           : sample_nearest<3, Load>;
}

}  // namespace

decltype(Texture::sample) choose_sample(const Texture& texture) {
  using FourFloats = FixedLoad<float, 4, Promotion::none>;
  using OneFloat = FixedLoad<float, 1, Promotion::none>;
  using FourUnormBytes = FixedLoad<std::uint8_t, 4, Promotion::to_float>;
  using OneUnormByte = FixedLoad<std::uint8_t, 1, Promotion::to_float>;
  if (FourFloats::serves(texture)) return sample_with<FourFloats>(texture);
  if (OneFloat::serves(texture)) return sample_with<OneFloat>(texture);
  if (FourUnormBytes::serves(texture)) return sample_with<FourUnormBytes>(texture);
  if (OneUnormByte::serves(texture)) return sample_with<OneUnormByte>(texture);
  return sample_with<AnyLoad>(texture);
}

Channels gather(const Texture& texture, std::uint32_t layer, const float (&at)[3], unsigned channel) {
  const Sampling& s = texture.sampling;
  const TexelGrid& grid = texture.resource.levels[0];
  const Axis x = linear_axis(at[0], grid.width, s.address[0], s.normalized_coordinates);
  const Axis y = linear_axis(at[1], grid.height, s.address[1], s.normalized_coordinates);
  const auto fetch = fetcher<AnyLoad>(texture, grid, layer);
  return Channels{fetch(x.low, y.high, 0)[channel], fetch(x.high, y.high, 0)[channel],
                  fetch(x.high, y.low, 0)[channel], fetch(x.low, y.low, 0)[channel]};
}

}  // namespace clcuda::ptx
