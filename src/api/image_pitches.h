// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/image/image.h"

namespace clcuda::api {

// Section 5.3.1.2, the rules of pitches: sets those of a shape whose type and sizes are known. Pitches of 0 are the smallest possible;
// others are given only with host memory or a buffer (`has_pitches`). Throws CL_INVALID_IMAGE_DESCRIPTOR, also for more bytes than there
// can be; the sizes may be any.
void take_pitches(const cl_image_desc& desc, const ImageFormat& format, bool has_pitches, ImageShape& shape);

}  // namespace clcuda::api
