// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// What the compiler needs at run time and the library carries with it (cmake/EmbedFile.cmake).
namespace clcuda::builtins {

// builtins/*.cl: the OpenCL C library, one bitcode module per family: the one that defines this function
// (mangled name), or nothing. A linker that asks for each undefined function of the program, until there are
// none, reads a few families instead of 15 000 functions. Families call functions of other families and of
// libdevice.
std::string_view library_module_defining(std::string_view function);
std::string_view libdevice_bitcode();     // CUDA's math library
std::string_view device_runtime();        // libcudadevrt.a: device-side launches
std::string_view opencl_c_base_header();  // Clang's opencl-c-base.h
std::string_view prelude();               // builtins/prelude.h: what Clang does not declare
std::string_view prelude_intel();  // builtins/prelude_intel.h: more of it, for programs that say intel_

}  // namespace clcuda::builtins
