// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda {

// The file name of the plug-in with NVIDIA's PTX compiler, which clcuda-ptx-compiler makes (packaging/clcuda-ptx-compiler). clcuda-doctor
// searches a library for this name, to tell whether it uses the plug-in.
inline constexpr char kPtxCompilerPlugin[] = "libclcuda-ptx-compiler.so";

// The path of the plug-in: the value of CLCUDA_PTX_COMPILER; otherwise the first that exists beside the library, in /usr/local/lib/clcuda
// or in the user's data folder. Empty if there is none, or if the variable is 0.
std::string find_ptx_compiler_plugin(const std::string& folder_of_library);

}  // namespace clcuda
