// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

// What txq and suq ask for.
enum class TexelQuery : std::uint32_t {
  width,
  height,
  depth,
  channel_data_type,
  channel_order,
  normalized_mode,
  array_size,
  num_mipmap_levels,
  num_samples
};

}  // namespace clcuda::ptx
