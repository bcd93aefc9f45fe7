// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "ptx/driver/context.h"
#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/texel_resource.h"
#include "ptx/executor/texel_objects.h"

namespace clcuda::ptx::driver {
namespace {

AddressMode checked_address_mode(CUaddress_mode mode, bool normalized_coordinates) {
  require(mode >= CU_TR_ADDRESS_MODE_WRAP && mode <= CU_TR_ADDRESS_MODE_BORDER);
  // Wrapping and mirroring require normalised coordinates; with others, CUDA clamps.
  if (!normalized_coordinates && mode != CU_TR_ADDRESS_MODE_BORDER) return AddressMode::clamp;
  return static_cast<AddressMode>(mode);
}

bool is_linear(CUfilter_mode mode) {
  require(mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR);
  return mode == CU_TR_FILTER_MODE_LINEAR;
}

Sampling checked_sampling(const CUDA_TEXTURE_DESC& descriptor, const CUDA_RESOURCE_DESC& resource) {
  constexpr unsigned kFlags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                              CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  require((descriptor.flags & ~kFlags) == 0);
  Sampling sampling;
  sampling.normalized_coordinates = descriptor.flags & CU_TRSF_NORMALIZED_COORDINATES;
  sampling.as_integer = descriptor.flags & CU_TRSF_READ_AS_INTEGER;
  sampling.srgb = descriptor.flags & CU_TRSF_SRGB;
  std::memcpy(sampling.border, descriptor.borderColor, sizeof sampling.border);
  require(resource.resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY || sampling.normalized_coordinates);
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR) {
    // Linear memory has neither addressing modes nor filters. Reads outside of it return the border.
    sampling.normalized_coordinates = false;
    std::fill(std::begin(sampling.address), std::end(sampling.address), AddressMode::border);
    return sampling;
  }
  for (unsigned i = 0; i < 3; ++i)
    sampling.address[i] = checked_address_mode(descriptor.addressMode[i], sampling.normalized_coordinates);
  sampling.linear = is_linear(descriptor.filterMode);
  sampling.linear_between_levels = is_linear(descriptor.mipmapFilterMode);
  sampling.level_bias = descriptor.mipmapLevelBias;
  sampling.min_level = descriptor.minMipmapLevelClamp;
  sampling.max_level = descriptor.maxMipmapLevelClamp;
  return sampling;
}

}  // namespace

// Resource views, which change the format or select levels and layers, are not supported.
CUresult cuTexObjectCreate(CUtexObject* handle, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* descriptor, const CUDA_RESOURCE_VIEW_DESC* view) {
  return entry([&] {
    Context& context = current_context();
    CUtexObject& out = required(handle);
    require(view == nullptr, CUDA_ERROR_NOT_SUPPORTED);
    const TexelResource texels = checked_resource(required(resource));
    out = add_texture(texels, checked_sampling(required(descriptor), *resource), &context);
    return CUDA_SUCCESS;
  });
}

// Does not wait: kernels in flight can still use the texture.
CUresult cuTexObjectDestroy(CUtexObject handle) {
  return entry([&] {
    const Context& current = current_context_unchecked();
    require(remove_texture(handle));
    return current.status();
  });
}

}  // namespace clcuda::ptx::driver
