// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cuda/module.h"

namespace clcuda::cuda {

// The version of NVIDIA's PTX compiler library, which is linked in or a plug-in, in the form of cuDriverGetVersion (13000). 0 if there is
// none.
int ptx_compiler_version();

// Compiles PTX to machine code for a chip (`sm`: compute capability × 10) with that library. It compiles whole programs, whose code is
// faster than the relocatable code of cuLink*. It needs no driver and is thread-safe. It cannot link, so options.library must be empty.
// Throws Error(CL_BUILD_PROGRAM_FAILURE) with the compiler's log.
MachineCode compile_machine_code(int sm, std::string_view ptx, const LinkOptions& options);

}  // namespace clcuda::cuda
