// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Where a choice takes one of two values, LLVM computes both first, even by a division. What only one of them
// needs goes behind a branch again, if a division or a root of floating-point numbers is among it: work-items
// that all choose the other value do without. (After optimisation.) Does nothing to choices between cheap
// values, and to those by vectors of conditions.
struct BranchAroundDivisions : llvm::PassInfoMixin<BranchAroundDivisions> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
