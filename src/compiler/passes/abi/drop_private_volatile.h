// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// A private variable is volatile to the optimiser, and to nobody behind it. What a loop reads by ld.volatile
// others may change: ptxas lets those work-items that have left it go on alone, which then exchange values
// without the others. (Ahead of what looks at loads and stores.) Does nothing to volatile accesses that may
// be to memory that work-items share.
struct DropPrivateVolatile : llvm::PassInfoMixin<DropPrivateVolatile> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
