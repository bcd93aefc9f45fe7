// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

// What the compiler needs at run time and the library carries with it (cmake/EmbedFile.cmake).
namespace clcuda::builtins {

// The OpenCL C library (builtins/*.cl) and CUDA's libdevice: the small bitcode module that defines this
// function (mangled name) and what it calls nearby, packed, or nothing. Whoever links asks for each undefined
// function, until there are none.
std::string_view library_module_defining(std::string_view function);
// Such a module's bitcode: its size, and the bytes, into as many. Throws std::bad_alloc.
std::size_t unpacked_size(std::string_view packed_module);
void unpack(std::string_view packed_module, std::span<char> bitcode);
std::string_view device_runtime();        // libcudadevrt.a: device-side launches
std::string_view opencl_c_base_header();  // Clang's opencl-c-base.h
std::string_view prelude();               // builtins/prelude.h: what Clang does not declare
std::string_view prelude_intel();  // builtins/prelude_intel.h: more of it, for programs that say intel_

}  // namespace clcuda::builtins
