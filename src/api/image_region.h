// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/enqueue.h"
#include "runtime/image/image.h"

// Regions of images as the commands are given them.
namespace clcuda::api {

// The image behind a handle, of the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
Image& image_of(const CommandQueue& queue, cl_mem handle);

// Section 5.3.4: origins are 0 and sizes 1 in the dimensions that the image lacks; behind the last dimension
// of a mipmap's origin comes the level. Throws CL_INVALID_VALUE, CL_INVALID_MIP_LEVEL.
ImageRegion region_of(const Image& image, const size_t* origin, const size_t* size);

// The pitches of host memory that holds a region, 0 for the smallest. Throws CL_INVALID_VALUE.
struct HostPitches {
  size_t row, slice;
};
HostPitches host_pitches(const Image& image, const ImageRegion& region, size_t row_pitch, size_t slice_pitch);

}  // namespace clcuda::api
