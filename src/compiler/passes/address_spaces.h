// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::compiler {

// NVPTX's numbers of the address spaces of OpenCL C: generic, global, local (PTX's .shared) and constant (PTX's .const). Private variables
// are allocas, to which pointers are generic.
inline constexpr unsigned kGenericSpace = 0, kGlobalSpace = 1, kLocalSpace = 3, kConstantSpace = 4;

}  // namespace clcuda::compiler
