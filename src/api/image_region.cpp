// SPDX-License-Identifier: Apache-2.0
#include "api/image_region.h"

#include <algorithm>

#include "api/address_space.h"

namespace clcuda::api {

// Section 5.3.4: an image of the queue's context.
Image& image_of(const CommandQueue& queue, cl_mem handle) {
  Image& image = object_of<Image>(handle);
  require(&image.context() == &queue.context(), CL_INVALID_CONTEXT,
          "the queue and the image are of different contexts");
  return image;
}

// Sections 5.3.4 to 5.3.8: origin and region are inside the image; dimensions that it lacks have size 1. In `origin`, a mipmap's level
// follows the dimensions.
ImageRegion region_of(const Image& image, const size_t* origin, const size_t* size) {
  require(origin && size, CL_INVALID_VALUE, "an origin or region is null");
  const ImageShape& shape = image.shape();
  const unsigned dimensions = shape.dimensions();
  ImageRegion region;
  if (shape.levels > 1) {
    require(origin[dimensions] < shape.levels, CL_INVALID_MIP_LEVEL, "the image has no such level");
    region.level = static_cast<unsigned>(origin[dimensions]);
  }
  const Size3 bounds = shape.level_size(region.level);
  for (unsigned d = 0; d < 3; ++d) {
    const bool holds_level = shape.levels > 1 && d == dimensions;
    region.origin[d] = holds_level ? 0 : origin[d];
    region.size[d] = size[d];
    require(region.size[d] > 0, CL_INVALID_VALUE, "a region of size 0");
    require(region.origin[d] < bounds[d] && region.size[d] <= bounds[d] - region.origin[d], CL_INVALID_VALUE,
            "the region ends beyond the image, or has a dimension that the image lacks");
  }
  return region;
}

// Section 5.3.4: pitches are at least a row and a slice; 0 stands for the smallest; an image without slices has no slice pitch.
HostPitches host_pitches(const Image& image, const ImageRegion& region, size_t row_pitch,
                         size_t slice_pitch) {
  const size_t row = region.size[0] * image.format().texel_size;
  require(!row_pitch || row_pitch >= row, CL_INVALID_VALUE, "the row pitch is less than a row");
  if (!row_pitch) row_pitch = row;
  const bool slice_is_row = image.shape().type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const bool has_slices = image.shape().is_array() || image.shape().type == CL_MEM_OBJECT_IMAGE3D;
  require(has_slices || !slice_pitch, CL_INVALID_VALUE, "a slice pitch for an image without slices");
  size_t slice = row_pitch;
  require(slice_is_row || !__builtin_mul_overflow(row_pitch, region.size[1], &slice), CL_INVALID_VALUE,
          "a slice larger than memory");
  require(!slice_pitch || slice_pitch >= slice, CL_INVALID_VALUE, "the slice pitch is less than a slice");
  if (!slice_pitch) slice_pitch = slice;
  size_t whole = 0;
  require(!__builtin_mul_overflow(slice_pitch, region.size[slice_is_row ? 1 : 2], &whole) &&
              whole <= kMostHostMemory,
          CL_INVALID_VALUE, "slices larger than memory");
  return {row_pitch, slice_pitch};
}

}  // namespace clcuda::api
