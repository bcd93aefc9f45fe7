// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "compiler/spirv/type.h"

namespace clcuda::compiler::spirv {

// "image2d_array_depth": the part of Clang's type name that does not depend on the access.
std::string image_name(const ImageTraits& image);

// As OpenCL C spells it: "float4*", "struct S", "image2d_t". Integers without a sign are signed.
std::string type_name(const Type& type);

}  // namespace clcuda::compiler::spirv
