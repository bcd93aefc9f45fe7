// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/texel_query.h"

namespace clcuda::ptx {
namespace {

// PTX uses OpenCL's numbers for channel data types and orders.
enum : std::uint32_t {
  type_snorm_int8 = 0x10d0,
  type_snorm_int16,
  type_unorm_int8,
  type_unorm_int16,
  type_signed_int8 = 0x10d7,
  type_signed_int16,
  type_signed_int32,
  type_unsigned_int8,
  type_unsigned_int16,
  type_unsigned_int32,
  type_half_float,
  type_float,
  order_r = 0x10b0,
  order_rg = 0x10b2,
  order_rgba = 0x10b5
};

std::uint32_t channel_data_type(TexelFormat format) {
  const bool byte = format.bits == 8, word = format.bits == 32;
  switch (format.kind) {
    case ChannelKind::unsigned_integer:
      return byte ? type_unsigned_int8 : word ? type_unsigned_int32 : type_unsigned_int16;
    case ChannelKind::signed_integer:
      return byte ? type_signed_int8 : word ? type_signed_int32 : type_signed_int16;
    case ChannelKind::floating:
      return word ? type_float : type_half_float;
    case ChannelKind::unorm:
      return byte ? type_unorm_int8 : type_unorm_int16;
    case ChannelKind::snorm:
      return byte ? type_snorm_int8 : type_snorm_int16;
  }
  return 0;
}

}  // namespace

std::uint32_t query(const TexelResource& resource, TexelQuery what) {
  const TexelGrid& grid = resource.levels[0];
  switch (what) {
    case TexelQuery::width:
      return grid.width;
    case TexelQuery::height:
      return grid.height;
    case TexelQuery::depth:
      return resource.layered ? 1 : grid.depth;
    case TexelQuery::channel_data_type:
      return channel_data_type(resource.format);
    case TexelQuery::channel_order:
      return resource.format.channels == 1 ? order_r : resource.format.channels == 2 ? order_rg : order_rgba;
    case TexelQuery::normalized_mode:
      return 0;  // surfaces have no normalised coordinates
    case TexelQuery::array_size:
      return resource.layered ? grid.depth : 1;
    case TexelQuery::num_mipmap_levels:
      return resource.level_count;
    case TexelQuery::num_samples:
      return 1;
  }
  return 0;
}

}  // namespace clcuda::ptx
