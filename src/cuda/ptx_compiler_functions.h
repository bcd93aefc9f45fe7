// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace clcuda::cuda {

// The functions of NVIDIA's PTX compiler library that clcuda calls. The library is linked into clcuda (ptx_compiler_linked.cpp), or is a
// plug-in that was made on the user's machine (ptx_compiler_plugin.cpp).
struct PtxCompilerFunctions {
  using Handle = void*;
  using Result = int;
  static constexpr Result kSuccess = 0, kOutOfMemory = 5;

  Result (*version)(unsigned* major, unsigned* minor);
  Result (*create)(Handle* compiler, std::size_t length, const char* ptx);
  Result (*destroy)(Handle* compiler);
  Result (*compile)(Handle compiler, int count, const char* const* options);
  Result (*code_size)(Handle compiler, std::size_t* size);
  Result (*code)(Handle compiler, void* code);
  Result (*info_log_size)(Handle compiler, std::size_t* size);
  Result (*info_log)(Handle compiler, char* log);
  Result (*error_log_size)(Handle compiler, std::size_t* size);
  Result (*error_log)(Handle compiler, char* log);
};

// Null if there is no such library; the driver then compiles all machine code.
const PtxCompilerFunctions* ptx_compiler_functions();

}  // namespace clcuda::cuda
