// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Functions that ask for the mask of the active work-items, the library's, are inlined, always:
// ProveFullMasks looks at kernels, and what needs no mask should not pay for one. Those of the program that
// call them may stay functions (pass_active_masks.h). Does nothing to kernels, and to functions that do not
// ask themselves.
struct InlineMaskFunctions : llvm::PassInfoMixin<InlineMaskFunctions> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
