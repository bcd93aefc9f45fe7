// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "runtime/image/image_format.h"

namespace clcuda {

// A texel's bytes from a color as clEnqueueFillImage takes it: four components red, green, blue, alpha (one
// for depth), float or 32-bit integers as the format has it, converted by the rules of section 8.3.
std::array<std::byte, 16> texel_of_color(const ImageFormat& format, const void* color);

}  // namespace clcuda
