// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/type.h"

namespace clcuda::compiler::spirv {

// OpenCL C's type of an image, of which there is one for each way to access it. Refuses those that OpenCL
// does not have, or the device.
BuiltinType image_type(const Type& image);

// How many coordinates a place in it takes: without the layer, and with it.
unsigned dimensions_of(const ImageTraits& image);
unsigned coordinates_of(const ImageTraits& image);

}  // namespace clcuda::compiler::spirv
