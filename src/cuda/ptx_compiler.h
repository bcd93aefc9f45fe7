// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cuda/module.h"

// What the library's file contains if it was built without NVIDIA's, for those who look into it from outside.
#define CLCUDA_NO_PTX_COMPILER "clcuda was built without the PTX compiler library"

namespace clcuda::cuda {

// The version of NVIDIA's PTX compiler library that is a part of ours, counted as cuDriverGetVersion does
// (13000). 0 if the build found none.
int ptx_compiler_version();

// PTX → machine code for a chip (compute capability × 10) by that library: of whole programs, which is faster
// than the relocatable code of cuLink*; without a driver, from any thread. It does not link: options.library
// is empty. Throws Error(CL_BUILD_PROGRAM_FAILURE) with the compiler's log.
MachineCode compile_machine_code(int sm, std::string_view ptx, const LinkOptions& options);

}  // namespace clcuda::cuda
