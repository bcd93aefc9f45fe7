// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Private variables of 16 bytes and more are aligned to 16, so that what lies side by side in them is loaded
// and stored together. Does nothing to smaller ones.
struct AlignAllocas : llvm::PassInfoMixin<AlignAllocas> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
