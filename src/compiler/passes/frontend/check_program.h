// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Throws Refusal with a line of the build log for each thing that the language forbids or the device lacks
// and Clang lets through: recursion, types that the device lacks, initial values beyond what can be emitted,
// sub-groups that are no warps. Changes nothing.
struct CheckProgram : llvm::PassInfoMixin<CheckProgram> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
