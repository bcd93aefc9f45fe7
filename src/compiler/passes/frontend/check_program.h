// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Refuses programs with what the language forbids or the device lacks and Clang accepts: recursion, long double and vectors of more than
// 4096 elements, more than 8 MB of initial values, a required sub-group size other than 32, reserved names that the library or passes use.
// Throws ProgramError with a line of the build log for each:
//
//   error: recursive call of function 'f'
//
// Changes nothing.
struct CheckProgram : llvm::PassInfoMixin<CheckProgram> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
