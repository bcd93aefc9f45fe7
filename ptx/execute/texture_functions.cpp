// SPDX-License-Identifier: Apache-2.0
// The functions that generated code calls for tex, tld4 and txq. Coordinates that an instruction lacks are 0.
#include "ptx/execute/texture_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ptx/execute/bindless_objects.h"
#include "ptx/execute/fault_guard.h"
#include "ptx/execute/texel_load.h"
#include "ptx/execute/texel_query.h"
#include "ptx/execute/texture_sample.h"

namespace clcuda::ptx {
namespace {

const Texture& texture_of(std::uint64_t handle) {
  const Texture* texture = textures().find(handle);
  if (!texture) [[unlikely]]
    raise_fault({FaultKind::illegal_address, handle});
  return *texture;
}

// Clamps the layer to the last one.
std::uint32_t layer_within(const TexelResource& resource, std::uint32_t layer) {
  return resource.layered ? std::min(layer, resource.levels[0].depth - 1) : 0;
}

Channels sample_level(const Texture& texture, unsigned level, std::uint32_t layer, const float (&at)[3]) {
  return texture.sample(texture, texture.resource.levels[level], layer_within(texture.resource, layer), at);
}

Channels sample_at_level_of_detail(const Texture& texture, std::uint32_t layer, const float (&at)[3],
                                   float level_of_detail) {
  const Sampling& s = texture.sampling;
  const auto last = static_cast<float>(texture.resource.level_count - 1);
  float wanted = level_of_detail + s.level_bias;
  wanted = std::min(std::max(wanted, s.min_level), s.max_level);
  wanted = std::min(std::max(wanted == wanted ? wanted : 0.0f, 0.0f), last);
  if (!s.linear_between_levels || !texture.gives_floats) {
    // The nearest level; of two equally near levels, the more detailed one.
    const float nearest = std::ceil(wanted + 0.5f) - 1;
    return sample_level(texture, static_cast<unsigned>(std::max(nearest, 0.0f)), layer, at);
  }
  const auto low = static_cast<unsigned>(wanted);
  const float weight = wanted - static_cast<float>(low);
  const auto first = std::bit_cast<Floats>(sample_level(texture, low, layer, at));
  if (weight == 0) return std::bit_cast<Channels>(first);
  const auto second = std::bit_cast<Floats>(sample_level(texture, low + 1, layer, at));
  return std::bit_cast<Channels>(first * (1 - weight) + second * weight);
}

Channels fetch(std::uint64_t handle, std::uint32_t layer, float x, float y, float z) {
  const Texture& texture = texture_of(handle);
  if (texture.resource.level_count > 1) return sample_at_level_of_detail(texture, layer, {x, y, z}, 0);
  return sample_level(texture, 0, layer, {x, y, z});
}

Channels fetch_level(std::uint64_t handle, std::uint32_t layer, float x, float y, float z, float level) {
  const Texture& texture = texture_of(handle);
  if (texture.resource.level_count > 1) return sample_at_level_of_detail(texture, layer, {x, y, z}, level);
  return sample_level(texture, 0, layer, {x, y, z});
}

// Samples at the level whose texels are spaced like the longer of the two gradients.
Channels fetch_gradient(std::uint64_t handle, std::uint32_t layer, float x, float y, float z, float x_by_a,
                        float y_by_a, float z_by_a, float x_by_b, float y_by_b, float z_by_b) {
  const Texture& texture = texture_of(handle);
  if (texture.resource.level_count == 1) return sample_level(texture, 0, layer, {x, y, z});
  const TexelGrid& grid = texture.resource.levels[0];
  const float width = static_cast<float>(grid.width), height = static_cast<float>(grid.height);
  const float depth = texture.resource.layered ? 0 : static_cast<float>(grid.depth);
  const auto length = [&](float dx, float dy, float dz) {
    return std::hypot(dx * width, dy * height, dz * depth);
  };
  const float step = std::max(length(x_by_a, y_by_a, z_by_a), length(x_by_b, y_by_b, z_by_b));
  return sample_at_level_of_detail(texture, layer, {x, y, z}, std::log2(step));
}

// Integer coordinates select a texel: there is no addressing mode and no filter, and outside the texture the result is 0.
Channels fetch_element(std::uint64_t handle, std::uint32_t layer, std::int32_t x, std::int32_t y,
                       std::int32_t z, std::int32_t level) {
  const Texture& texture = texture_of(handle);
  const TexelResource& resource = texture.resource;
  if (level < 0 || level >= resource.level_count) return Channels{};
  const TexelGrid& grid = resource.levels[static_cast<unsigned>(level)];
  const bool flat = resource.dimensions < 3;
  const std::uint32_t column = static_cast<std::uint32_t>(x);
  const std::uint32_t row = resource.dimensions < 2 ? 0 : static_cast<std::uint32_t>(y);
  const std::uint32_t slice = flat ? layer_within(resource, layer) : static_cast<std::uint32_t>(z);
  if (column >= grid.width || row >= grid.height || slice >= grid.depth) return Channels{};
  return texture.load(grid.base + slice * grid.slice_pitch + row * grid.row_pitch +
                      std::uint64_t{column} * resource.format.bytes());
}

Channels gather_channel(std::uint64_t handle, std::uint32_t layer, float x, float y, std::uint32_t channel) {
  const Texture& texture = texture_of(handle);
  return gather(texture, layer_within(texture.resource, layer), {x, y, 0}, channel);
}

std::uint32_t query_texture(std::uint64_t handle, std::uint32_t what) {
  const Texture& texture = texture_of(handle);
  if (static_cast<TexelQuery>(what) == TexelQuery::normalized_mode)
    return texture.sampling.normalized_coordinates;
  return query(texture.resource, static_cast<TexelQuery>(what));
}

}  // namespace

std::span<const RuntimeFunction> texture_functions() {
  static const RuntimeFunction functions[] = {
      {"clcuda_tex", address_of(fetch)},
      {"clcuda_tex_level", address_of(fetch_level)},
      {"clcuda_tex_grad", address_of(fetch_gradient)},
      {"clcuda_tex_element", address_of(fetch_element)},
      {"clcuda_tld4", address_of(gather_channel)},
      {"clcuda_txq", address_of(query_texture)},
  };
  return functions;
}

}  // namespace clcuda::ptx
