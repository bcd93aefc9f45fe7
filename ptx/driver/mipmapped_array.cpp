// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/mipmapped_array.h"

#include <algorithm>
#include <bit>

#include "ptx/driver/device.h"
#include "ptx/driver/driver_error.h"

namespace clcuda::ptx::driver {
namespace {

// The next smaller level, with the same number of layers.
CUDA_ARRAY3D_DESCRIPTOR halved(CUDA_ARRAY3D_DESCRIPTOR d) {
  const auto half = [](std::size_t extent) { return extent ? std::max<std::size_t>(extent / 2, 1) : 0; };
  d.Width = half(d.Width);
  d.Height = half(d.Height);
  if (!(d.Flags & CUDA_ARRAY3D_LAYERED)) d.Depth = half(d.Depth);
  return d;
}

// 1 + floor(log2(largest extent)): CUDA clamps the number of levels to it.
unsigned most_levels(const CUDA_ARRAY3D_DESCRIPTOR& d) {
  const std::size_t depth = d.Flags & CUDA_ARRAY3D_LAYERED ? 0 : d.Depth;
  return static_cast<unsigned>(std::bit_width(std::max({d.Width, d.Height, depth})));
}

}  // namespace

MipmappedArray::MipmappedArray(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned levels)
    : context_(&context) {
  checked_array_format(descriptor);
  require(levels >= 1);
  levels = std::min(levels, most_levels(descriptor));
  std::vector<std::size_t> offsets;
  std::size_t bytes = 0;
  CUDA_ARRAY3D_DESCRIPTOR level = descriptor;
  for (unsigned i = 0; i < levels; ++i, level = halved(level)) {
    offsets.push_back(bytes);
    const std::size_t size = grid_bytes(array_layout(level));
    bytes += (size + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment;
  }
  allocation_ = context.device().memory().allocate(bytes, MemoryKind::array, context_);
  level = descriptor;
  for (unsigned i = 0; i < levels; ++i, level = halved(level)) {
    TexelGrid grid = array_layout(level);
    grid.base = reinterpret_cast<std::byte*>(allocation_.address + offsets[i]);
    const Ref<Array> array = Ref<Array>::adopt(new Array(context, level, grid));
    if (i == 0) resource_ = array->resource();
    resource_.levels[i] = grid;
    levels_.push_back(handles<Array>().add(array));
  }
  resource_.level_count = static_cast<std::uint8_t>(levels);
}

MipmappedArray::~MipmappedArray() {
  for (const std::uint64_t level : levels_) handles<Array>().remove(level);
  context_->device().memory().free(allocation_.address, allocation_.id);
}

}  // namespace clcuda::ptx::driver
