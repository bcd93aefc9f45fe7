// SPDX-License-Identifier: Apache-2.0
// Maps of images (section 5.3.4).
#include <algorithm>
#include <exception>

#include "runtime/image/image.h"

namespace clcuda {

std::byte* Image::own_host_memory(DeviceResources& resources) {
  MutexLock lock(mutex_);
  if (!own_host_memory_) own_host_memory_ = resources.memory().lend_pinned(shape_.pitched_size());
  return own_host_memory_->data();
}

// A USE_HOST_PTR image is mapped to the application's memory, an ALLOC_HOST_PTR image to memory of its own,
// any other to a page-locked block that lasts as long as the mapping, without gaps between rows and slices.
void Image::place(ImageMapping& mapping, DeviceResources& resources) {
  const ImageRegion& region = mapping.region;
  const auto within = [&](std::byte* memory) {
    const Size3& origin = region.origin;
    const std::size_t x = origin[0] * format_.texel_size;
    if (shape_.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) return memory + origin[1] * mapping.slice_pitch + x;
    return memory + origin[2] * mapping.slice_pitch + origin[1] * mapping.row_pitch + x;
  };
  cuda::Current current(resources.context());
  mapping.row_pitch = shape_.row_pitch;
  mapping.slice_pitch = shape_.slice_pitch;
  if (host_ptr()) {
    mapping.host = within(static_cast<std::byte*>(host_ptr()));
  } else if ((flags() & CL_MEM_ALLOC_HOST_PTR) && !shape_.levels && !buffer_) {
    mapping.host = within(own_host_memory(resources));
    MutexLock lock(mutex_);
    mapping.block = own_host_memory_;
  } else {
    const Size3 bytes = bytes_of(region);
    mapping.row_pitch = bytes[0];
    mapping.slice_pitch = bytes[0] * bytes[1];
    mapping.block = resources.memory().lend_pinned(bytes[0] * bytes[1] * bytes[2]);
    mapping.host = mapping.block->data();
  }
}

// Section 5.5.4: regions mapped for writing do not overlap, in the image and, if it is a 1D image of a buffer, in that buffer and its other
// sub-buffers and images.
bool Image::begin(ImageMapping& mapping) {
  const auto in_the_way = [&](const ImageMapping& other) { return overlap(other.region, mapping.region); };
  if (maps_bytes(mapping) && !buffer_->begin_write_mapping(bytes_of_row(mapping.region))) return false;
  try {
    if (mappings_.add(mapping, in_the_way)) return true;
  } catch (...) {
    end(mapping);
    throw;
  }
  end(mapping);
  return false;
}

void Image::end(const ImageMapping& mapping) noexcept {
  if (maps_bytes(mapping)) buffer_->end_write_mapping(bytes_of_row(mapping.region));
}

ImageMapping Image::map(DeviceResources& resources, const ImageRegion& region, cl_map_flags flags) {
  ImageMapping mapping{.region = region,
                       .writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0};
  bool begun = false;
  try {
    place(mapping, resources);
    begun = begin(mapping);
  } catch (const std::exception& error) {
    resources.report_error(error);
    throw Error(CL_MAP_FAILURE, error.what());
  }
  if (!begun) throw Error(CL_INVALID_OPERATION, "part of the region is mapped for writing already");
  return mapping;
}

cl_uint Image::map_count() const { return static_cast<cl_uint>(mappings_.size()); }

}  // namespace clcuda
