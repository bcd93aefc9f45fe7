// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Loads and stores of private variables lose `volatile`:
//
//   %y = load volatile i32, ptr %alloca      →  %y = load i32, ptr %alloca
//
// For the back end, volatile has a cost and no use there: no other work-item can change the variable. ptxas assumes that what ld.volatile
// reads may differ between work-items, even where it is the condition of a uniform loop. It then lets work-items that have left the loop
// run on without the others, and a later exchange within the sub-group misses those. Runs after optimisation, which must respect volatile,
// and ahead of passes that look at loads and stores. Does nothing to accesses that may be to other memory than private variables.
struct DropPrivateVolatile : llvm::PassInfoMixin<DropPrivateVolatile> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
