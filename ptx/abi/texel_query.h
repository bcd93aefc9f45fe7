// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

// The queries of the instructions txq and suq.
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
