// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Functions that ask for the mask of the active work-items are inlined, always, as ProveFullMasks and
// TrackActiveMasks look at kernels. Does nothing to kernels, and to functions that do not ask.
struct InlineMaskFunctions : llvm::PassInfoMixin<InlineMaskFunctions> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
