// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/array.h"

#include <algorithm>

#include "ptx/driver/device.h"
#include "ptx/driver/driver_error.h"

namespace clcuda::ptx::driver {
namespace {

constexpr std::size_t kRowAlignment = 32;

bool within(std::size_t value, std::size_t most) { return value >= 1 && value <= most; }

// The extents that cuArray3DCreate's table allows. The executor has no cube maps.
bool extents_fit(const CUDA_ARRAY3D_DESCRIPTOR& d) {
  if (d.Flags & CUDA_ARRAY3D_LAYERED)
    return within(d.Width, kMaxLayeredWidth) && d.Height <= kMaxLayeredWidth && within(d.Depth, kMaxLayers);
  if (d.Depth != 0)
    return within(d.Width, kMaxArrayExtent3D) && within(d.Height, kMaxArrayExtent3D) &&
           d.Depth <= kMaxArrayExtent3D;
  if (d.Height != 0) return within(d.Width, kMaxArrayWidth2D) && d.Height <= kMaxArrayHeight2D;
  return within(d.Width, kMaxArrayWidth1D);
}

}  // namespace

std::optional<TexelFormat> texel_format(CUarray_format format, unsigned channels) {
  using enum ChannelKind;
  const auto made = [&](ChannelKind kind, unsigned bits, bool accepted) -> std::optional<TexelFormat> {
    if (!accepted) return std::nullopt;
    return TexelFormat{kind, static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(channels)};
  };
  const bool any = channels == 1 || channels == 2 || channels == 4;
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
      return made(unsigned_integer, 8, any);
    case CU_AD_FORMAT_UNSIGNED_INT16:
      return made(unsigned_integer, 16, any);
    case CU_AD_FORMAT_UNSIGNED_INT32:
      return made(unsigned_integer, 32, any);
    case CU_AD_FORMAT_SIGNED_INT8:
      return made(signed_integer, 8, any);
    case CU_AD_FORMAT_SIGNED_INT16:
      return made(signed_integer, 16, any);
    case CU_AD_FORMAT_SIGNED_INT32:
      return made(signed_integer, 32, any);
    case CU_AD_FORMAT_HALF:
      return made(floating, 16, any);
    case CU_AD_FORMAT_FLOAT:
      return made(floating, 32, any);
    case CU_AD_FORMAT_UNORM_INT8X1:
    case CU_AD_FORMAT_UNORM_INT8X2:
    case CU_AD_FORMAT_UNORM_INT8X4:
      return made(unorm, 8, any && channels == 1u << (format - CU_AD_FORMAT_UNORM_INT8X1));
    case CU_AD_FORMAT_UNORM_INT16X1:
    case CU_AD_FORMAT_UNORM_INT16X2:
    case CU_AD_FORMAT_UNORM_INT16X4:
      return made(unorm, 16, any && channels == 1u << (format - CU_AD_FORMAT_UNORM_INT16X1));
    case CU_AD_FORMAT_SNORM_INT8X1:
    case CU_AD_FORMAT_SNORM_INT8X2:
    case CU_AD_FORMAT_SNORM_INT8X4:
      return made(snorm, 8, any && channels == 1u << (format - CU_AD_FORMAT_SNORM_INT8X1));
    case CU_AD_FORMAT_SNORM_INT16X1:
    case CU_AD_FORMAT_SNORM_INT16X2:
    case CU_AD_FORMAT_SNORM_INT16X4:
      return made(snorm, 16, any && channels == 1u << (format - CU_AD_FORMAT_SNORM_INT16X1));
    default:
      return std::nullopt;
  }
}

TexelFormat checked_array_format(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  constexpr unsigned kFlags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_TEXTURE_GATHER |
                              CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_COLOR_ATTACHMENT;
  require((descriptor.Flags & ~kFlags) == 0);
  const std::optional<TexelFormat> format = texel_format(descriptor.Format, descriptor.NumChannels);
  require(format.has_value());
  require(extents_fit(descriptor));
  return *format;
}

TexelGrid array_layout(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  const TexelFormat format = checked_array_format(descriptor);
  TexelGrid grid;
  grid.width = static_cast<std::uint32_t>(descriptor.Width);
  grid.height = static_cast<std::uint32_t>(std::max<std::size_t>(descriptor.Height, 1));
  grid.depth = static_cast<std::uint32_t>(std::max<std::size_t>(descriptor.Depth, 1));
  grid.row_pitch = (descriptor.Width * format.bytes() + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  grid.slice_pitch = grid.row_pitch * grid.height;
  return grid;
}

std::size_t grid_bytes(const TexelGrid& grid) { return grid.slice_pitch * grid.depth; }

Array::Array(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const TexelGrid& grid)
    : context_(&context), descriptor_(descriptor), grid_(grid) {}

Array::~Array() {
  if (allocation_) context_->device().memory().free(allocation_->address, allocation_->id);
}

Ref<Array> Array::create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  TexelGrid grid = array_layout(descriptor);
  Allocation allocation =
      context.device().memory().allocate(grid_bytes(grid), MemoryKind::array, Ref<Context>(&context));
  grid.base = reinterpret_cast<std::byte*>(allocation.address);
  Ref<Array> array = Ref<Array>::adopt(new Array(context, descriptor, grid));
  array->allocation_ = std::move(allocation);
  return array;
}

TexelResource Array::resource() const {
  TexelResource resource;
  resource.format = checked_array_format(descriptor_);
  resource.layered = descriptor_.Flags & CUDA_ARRAY3D_LAYERED;
  resource.dimensions = descriptor_.Height == 0 ? 1 : descriptor_.Depth == 0 || resource.layered ? 2 : 3;
  resource.levels[0] = grid_;
  return resource;
}

}  // namespace clcuda::ptx::driver
