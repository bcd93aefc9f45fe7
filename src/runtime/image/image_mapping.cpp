// SPDX-License-Identifier: Apache-2.0
// Maps of images (section 5.3.4).
#include <algorithm>
#include <new>

#include "runtime/image/image.h"

namespace clcuda {

std::byte* Image::own_host_memory(DeviceResources& resources) {
  MutexLock lock(mutex_);
  if (!own_host_memory_) own_host_memory_ = resources.memory().lend_pinned(shape_.pitched_size());
  return own_host_memory_->data();
}

// A USE_HOST_PTR image is mapped to the application's memory, an ALLOC_HOST_PTR image to memory of its own,
// any other to a page-locked block that lasts as long as the mapping, without gaps between rows and slices.
ImageMapping Image::map(DeviceResources& resources, const ImageRegion& region, cl_map_flags flags) {
  ImageMapping mapping{.region = region,
                       .writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0};
  const auto within = [&](std::byte* memory) {
    const Size3& origin = region.origin;
    const std::size_t x = origin[0] * format_.texel_size;
    if (shape_.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) return memory + origin[1] * mapping.slice_pitch + x;
    return memory + origin[2] * mapping.slice_pitch + origin[1] * mapping.row_pitch + x;
  };
  try {
    cuda::Current current(resources.context());
    mapping.row_pitch = shape_.row_pitch;
    mapping.slice_pitch = shape_.slice_pitch;
    if (host_ptr()) {
      mapping.host = within(static_cast<std::byte*>(host_ptr()));
    } else if ((this->flags() & CL_MEM_ALLOC_HOST_PTR) && !shape_.levels && !buffer_) {
      mapping.host = within(own_host_memory(resources));
    } else {
      const Size3 bytes = bytes_of(region);
      mapping.row_pitch = bytes[0];
      mapping.slice_pitch = bytes[0] * bytes[1];
      mapping.block = resources.memory().lend_pinned(bytes[0] * bytes[1] * bytes[2]);
      mapping.host = mapping.block->data();
    }
  } catch (const std::exception& error) {
    resources.report_error(error);
    throw Error(CL_MAP_FAILURE, error.what());
  }
  if (!mapping.block) {
    MutexLock lock(mutex_);
    mapping.block = own_host_memory_;
  }
  // Section 5.5.4: regions mapped for writing do not overlap.
  const auto in_the_way = [&](const ImageMapping& other) {
    return mapping.writes && other.writes && overlap(other.region, region);
  };
  bool added = false;
  try {
    added = mappings_.add(mapping, in_the_way);
  } catch (const std::bad_alloc&) {
    throw Error(CL_MAP_FAILURE, "no memory to note the map");
  }
  if (!added) throw Error(CL_INVALID_OPERATION, "part of the region is mapped for writing already");
  return mapping;
}

cl_uint Image::map_count() const { return static_cast<cl_uint>(mappings_.size()); }

}  // namespace clcuda
