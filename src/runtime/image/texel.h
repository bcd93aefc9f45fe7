// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "runtime/image/image_format.h"

namespace clcuda {

// Converts the fill_color of clEnqueueFillImage to the bytes of a texel (section 8.3). It has four components (red, green, blue, alpha; one
// for depth images) of type float or 32-bit integer, depending on the format.
std::array<std::byte, 16> texel_of_color(const ImageFormat& format, const void* color);

}  // namespace clcuda
