// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/execute/bindless_table.h"
#include "ptx/execute/texel_grid.h"

namespace clcuda::ptx {

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

// How a texture is read, as its descriptor says.
struct Sampling {
  AddressMode address[3] = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool linear = false;
  bool normalized_coordinates = false;
  bool as_integer = false;  // integer channels are not promoted to floating point
  bool srgb = false;
  bool linear_between_levels = false;
  float level_bias = 0, min_level = 0, max_level = 0;
  float border[4] = {};
};

// Four channels of 32 bits: numbers of the kind that the texture gives.
using Channels = std::uint32_t __attribute__((vector_size(16)));

struct Texture {
  TexelResource resource;
  Sampling sampling;
  bool gives_floats = false;  // else integers
  Channels border{};          // as the texture gives it
  // One element, as the texture gives it.
  Channels (*load)(const std::byte* element) = nullptr;
  // Reads one level at `at`, whose unused coordinates are ignored; the layer is an index already in range.
  Channels (*sample)(const Texture& texture, const TexelGrid& grid, std::uint32_t layer,
                     const float (&at)[3]) = nullptr;
};

// What the descriptors say, with the functions for them chosen.
Texture make_texture(const TexelResource& resource, const Sampling& sampling);

BindlessTable<Texture>& textures();
BindlessTable<TexelResource>& surfaces();

}  // namespace clcuda::ptx
