// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/driver/array.h"

namespace clcuda::ptx::driver {

// Arrays of halving extents in one piece of memory. The handles of its levels live as long as its own.
class MipmappedArray final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::mipmapped_array;
  MipmappedArray(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned levels);
  ~MipmappedArray() override;

  Context& context() const { return *context_; }
  const std::vector<std::uint64_t>& levels() const { return levels_; }
  TexelResource resource() const { return resource_; }

 private:
  const Ref<Context> context_;
  Allocation allocation_;
  TexelResource resource_;
  std::vector<std::uint64_t> levels_;
};

}  // namespace clcuda::ptx::driver
