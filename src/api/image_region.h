// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/enqueue.h"
#include "runtime/image/image.h"

// Arguments of commands on images: the image, its region, and pitches of host memory.
namespace clcuda::api {

// The image of a handle, which must belong to the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
Image& image_of(const CommandQueue& queue, cl_mem handle);

// The region of an image, in texels, from the arguments of a command (section 5.3.4). The origin is 0 and the size 1 in dimensions that
// the image lacks; in a mipmap's origin the level follows the last dimension. Throws CL_INVALID_VALUE, CL_INVALID_MIP_LEVEL.
ImageRegion region_of(const Image& image, const size_t* origin, const size_t* size);

// The pitches of host memory that holds a region, in bytes. An argument of 0 stands for the smallest. Throws CL_INVALID_VALUE.
struct HostPitches {
  size_t row, slice;
};
HostPitches host_pitches(const Image& image, const ImageRegion& region, size_t row_pitch, size_t slice_pitch);

}  // namespace clcuda::api
