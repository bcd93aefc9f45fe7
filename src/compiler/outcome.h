// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "compiler/compiled_program.h"
#include "compiler/file_dependency.h"

namespace clcuda::compiler {

// How a build ended; the runtime chooses the OpenCL code.
enum class Status : std::uint8_t {
  success,
  failure,          // the source or the link is at fault: CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_…,
                    // CL_LINK_PROGRAM_FAILURE
  invalid_options,  // CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS, CL_INVALID_LINKER_OPTIONS
  out_of_memory,
};

// The result of compiler.h's functions.
struct Outcome {
  Status status = Status::failure;
  std::string log;
  CompiledProgram program;  // meaningful on success
  FileDependencies files;
  bool repeatable = true;  // the same call has the same outcome as long as `files` hold
};

}  // namespace clcuda::compiler
