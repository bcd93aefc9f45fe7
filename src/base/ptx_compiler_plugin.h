// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda {

// The plug-in with NVIDIA's PTX compiler, which clcuda-ptx-compiler makes (packaging/clcuda-ptx-compiler). A library that is to find it
// contains this name.
inline constexpr char kPtxCompilerPlugin[] = "libclcuda-ptx-compiler.so";

// Where it is: as CLCUDA_PTX_COMPILER says; otherwise beside the library, for all users, for one. Empty if there is none, or if that says 0.
std::string find_ptx_compiler_plugin(const std::string& folder_of_library);

}  // namespace clcuda
