// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/refuse.h"

#include "compiler/program_error.h"

namespace clcuda::compiler::spirv {

void refuse(const std::string& reason) { throw ProgramError{reason}; }

}  // namespace clcuda::compiler::spirv
