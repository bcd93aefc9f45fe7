// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/type.h"

namespace clcuda::compiler::spirv {

// The type of an image in OpenCL C, "14ocl_image2d_ro": one for each kind and access qualifier. Throws ProgramError for those that OpenCL
// or the device does not have.
BuiltinType image_type(const Type& image);

// The number of coordinates of a texel: without and with the layer of an array.
unsigned dimensions_of(const ImageTraits& image);
unsigned coordinates_of(const ImageTraits& image);

}  // namespace clcuda::compiler::spirv
