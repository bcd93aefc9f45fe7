// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/texel_resource.h"

#include "ptx/driver/address_range.h"
#include "ptx/driver/driver_error.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/mipmapped_array.h"

namespace clcuda::ptx::driver {
namespace {

TexelFormat checked_format(CUarray_format format, unsigned channels) {
  const std::optional<TexelFormat> known = texel_format(format, channels);
  require(known.has_value());
  return *known;
}

TexelResource linear_resource(CUdeviceptr address, TexelFormat format, std::size_t bytes) {
  const std::size_t elements = bytes / format.bytes();
  require(address % kTextureAlignment == 0);
  require(elements >= 1 && elements <= kMaxLinearTextureWidth);
  require_range(address, bytes);
  TexelResource resource;
  resource.format = format;
  TexelGrid& grid = resource.levels[0];
  grid.base = reinterpret_cast<std::byte*>(address);
  grid.width = static_cast<std::uint32_t>(elements);
  return resource;
}

TexelResource pitched_resource(CUdeviceptr address, TexelFormat format, std::size_t width, std::size_t height,
                               std::size_t pitch) {
  require(address % kTextureAlignment == 0 && pitch % kTexturePitchAlignment == 0);
  require(width >= 1 && width <= kMaxArrayWidth2D && height >= 1 && height <= kMaxArrayHeight2D);
  require(pitch >= width * format.bytes() && pitch <= kMaxTexturePitch);
  require_range(address, (height - 1) * pitch + width * format.bytes());
  TexelResource resource;
  resource.format = format;
  resource.dimensions = 2;
  TexelGrid& grid = resource.levels[0];
  grid.base = reinterpret_cast<std::byte*>(address);
  grid.row_pitch = pitch;
  grid.width = static_cast<std::uint32_t>(width);
  grid.height = static_cast<std::uint32_t>(height);
  return resource;
}

}  // namespace

TexelResource checked_resource(const CUDA_RESOURCE_DESC& descriptor) {
  require(descriptor.flags == 0);
  switch (descriptor.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      return object_of<Array>(descriptor.res.array.hArray)->resource();
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      return object_of<MipmappedArray>(descriptor.res.mipmap.hMipmappedArray)->resource();
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = descriptor.res.linear;
      return linear_resource(linear.devPtr, checked_format(linear.format, linear.numChannels),
                             linear.sizeInBytes);
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& pitched = descriptor.res.pitch2D;
      return pitched_resource(pitched.devPtr, checked_format(pitched.format, pitched.numChannels),
                              pitched.width, pitched.height, pitched.pitchInBytes);
    }
  }
  refuse(CUDA_ERROR_INVALID_VALUE);
}

}  // namespace clcuda::ptx::driver
