// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/driver/array.h"

namespace clcuda::ptx::driver {

// Arrays of halving extents in one piece of memory. The handles of its levels live as long as its own.
class MipmappedArray final : public RefCounted {
 public:
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

HandleTable<MipmappedArray>& mipmapped_array_handles();

// The array behind a handle, in a context that is usable.
Ref<MipmappedArray> mipmapped_array_of(CUmipmappedArray handle);

}  // namespace clcuda::ptx::driver
