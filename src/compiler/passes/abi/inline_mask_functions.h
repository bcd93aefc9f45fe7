// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Functions of the library that call llvm.nvvm.activemask become alwaysinline. ProveFullMasks replaces masks only in kernels, and a call
// that turns out to need no mask should not compute one. Functions of the program that call them are inlined as usual or stay
// (pass_active_masks.h). Does nothing to kernels and to functions that contain no such call themselves.
struct InlineMaskFunctions : llvm::PassInfoMixin<InlineMaskFunctions> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
