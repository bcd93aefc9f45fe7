// SPDX-License-Identifier: Apache-2.0
// In the place of ptx_compiler.cpp where the build found no PTX compiler library.
#include <CL/cl.h>

#include "base/error.h"
#include "cuda/ptx_compiler.h"

namespace clcuda::cuda {
namespace {

[[gnu::used, gnu::retain]] constexpr char kMark[] = CLCUDA_NO_PTX_COMPILER;

}  // namespace

int ptx_compiler_version() { return 0; }

MachineCode compile_machine_code(int, std::string_view, const LinkOptions&) {
  throw Error(CL_BUILD_PROGRAM_FAILURE, kMark);
}

}  // namespace clcuda::cuda
