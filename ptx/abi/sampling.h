// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

// How a texture is read: CUDA_TEXTURE_DESC without its resource. Level values are in mip levels.
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

}  // namespace clcuda::ptx
