// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Branches as ptxas likes them, after optimisation. The condition at the end of a loop says when to go on: it
// peels loops that say when to leave. And no block counts as rare: LLVM would put it behind the function's
// end, which hides the loop's shape. Does nothing to loops that do not end in a conditional branch.
struct ArrangeBranches : llvm::PassInfoMixin<ArrangeBranches> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
