// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/image_limits.h"

#include <algorithm>
#include <initializer_list>

#include "runtime/platform/device.h"

namespace clcuda {
namespace {

// An image is used as a texture and as a surface, so the smaller limit applies.
std::size_t smallest(const Device& device, std::initializer_list<CUdevice_attribute> attributes) {
  int least = device.attribute(*attributes.begin());
  for (const CUdevice_attribute attribute : attributes) least = std::min(least, device.attribute(attribute));
  return static_cast<std::size_t>(std::max(least, 0));
}

}  // namespace

ImageLimits ImageLimits::of(const Device& device) {
  constexpr std::size_t kMaxBufferTexels = std::size_t{1}
                                           << 28;  // CL_DEVICE_IMAGE_MAX_BUFFER_SIZE; chosen: read by index
  ImageLimits limits;
  limits.flat = {
      smallest(
          device,
          {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH,
           CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH,
           CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH,
           CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH,
           CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH,
           CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH}),
      smallest(device,
               {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT})};
  limits.volume = {
      smallest(device,
               {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH}),
      smallest(device,
               {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT}),
      smallest(device,
               {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH})};
  limits.layers = smallest(device, {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS});
  limits.buffer = kMaxBufferTexels;
  limits.row_alignment = smallest(device, {CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT});
  limits.base_alignment = smallest(device, {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT});
  limits.sampled_width = smallest(device, {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH});
  limits.sampled_pitch = smallest(device, {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH});
  return limits;
}

ImageLimits ImageLimits::of(std::span<Device* const> devices) {
  ImageLimits all = of(*devices.front());
  for (const Device* device : devices.subspan(1)) {
    const ImageLimits one = of(*device);
    for (unsigned d = 0; d < 2; ++d) all.flat[d] = std::max(all.flat[d], one.flat[d]);
    for (unsigned d = 0; d < 3; ++d) all.volume[d] = std::max(all.volume[d], one.volume[d]);
    all.layers = std::max(all.layers, one.layers);
    all.row_alignment = std::max(all.row_alignment, one.row_alignment);
    all.base_alignment = std::max(all.base_alignment, one.base_alignment);
    all.sampled_width = std::min(all.sampled_width, one.sampled_width);
    all.sampled_pitch = std::min(all.sampled_pitch, one.sampled_pitch);
  }
  return all;
}

// Texture units can read two-dimensional images in place, in aligned rows. Other images are copied for them, or read by address.
ImageAlignment ImageLimits::in_buffer(cl_mem_object_type type, std::size_t texel_size) const {
  if (type != CL_MEM_OBJECT_IMAGE2D && type != 0) return {texel_size, texel_size, texel_size};
  return {row_alignment * texel_size, texel_size, base_alignment};
}

}  // namespace clcuda
