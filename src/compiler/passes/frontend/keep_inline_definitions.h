// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// An `inline` function of C99 without an external definition anywhere is common in OpenCL C; its inline
// definition then is the function: available_externally linkage becomes internal. Does nothing to functions
// of any other linkage.
struct KeepInlineDefinitions : llvm::PassInfoMixin<KeepInlineDefinitions> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
