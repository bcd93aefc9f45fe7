// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda::compiler::spirv {

// Throws ProgramError (compiler/program_error.h), which ends the reading of a module. at_instruction() adds which instruction it was.
//
//   require(type->isIntegerTy(), "its operand is no integer");
[[noreturn]] void refuse(const std::string& reason);

inline void require(bool condition, const char* reason) {
  if (!condition) refuse(reason);
}

}  // namespace clcuda::compiler::spirv
