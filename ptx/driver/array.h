// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ptx/abi/texel_grid.h"
#include "ptx/driver/arena.h"
#include "ptx/driver/handle_table.h"

namespace clcuda::ptx::driver {

// The largest extents, those of current GPUs; arrays, textures and surfaces have the same.
constexpr std::uint32_t kMaxArrayWidth1D = 131072, kMaxArrayWidth2D = 131072, kMaxArrayHeight2D = 65536;
constexpr std::uint32_t kMaxArrayExtent3D = 16384, kMaxLayeredWidth = 32768, kMaxLayers = 2048;
constexpr std::uint32_t kMaxLinearTextureWidth = 1u << 28;
constexpr std::uint32_t kTextureAlignment = Arena::kAlignment, kTexturePitchAlignment = 32;
constexpr std::uint32_t kMaxTexturePitch = 1u << 21;

// Empty for formats that the executor does not have (block-compressed and planar ones).
std::optional<TexelFormat> texel_format(CUarray_format format, unsigned channels);

// A CUDA array: rows of elements, whose layout nobody but the executor sees.
class Array final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::array;
  // Over memory of its own (a level of a mipmapped array lies in that one's).
  static Ref<Array> create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor);
  Array(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const TexelGrid& grid);
  ~Array() override;

  Context& context() const { return *context_; }
  const CUDA_ARRAY3D_DESCRIPTOR& descriptor() const { return descriptor_; }
  const TexelGrid& grid() const { return grid_; }
  bool owns_memory() const { return allocation_.has_value(); }
  // As a texture or surface sees it, with this as its only level.
  TexelResource resource() const;

 private:
  const Ref<Context> context_;
  const CUDA_ARRAY3D_DESCRIPTOR descriptor_;
  const TexelGrid grid_;
  std::optional<Allocation> allocation_;
};

// Refuses what no array can be made of. The layout of the checked descriptor, whose base is not set yet, and
// the bytes that it takes.
TexelFormat checked_array_format(const CUDA_ARRAY3D_DESCRIPTOR& descriptor);
TexelGrid array_layout(const CUDA_ARRAY3D_DESCRIPTOR& descriptor);
std::size_t grid_bytes(const TexelGrid& grid);

}  // namespace clcuda::ptx::driver
