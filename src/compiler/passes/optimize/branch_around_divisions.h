// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Turns a select into a branch if one of its values needs a floating-point division or square root that nothing else needs:
//
//   %q = fdiv float %x, %y                      →  br i1 %c, label %side, label %tail
//   %r = select i1 %c, float %q, float %x          side: %q = fdiv float %x, %y
//                                                  tail: %r = phi float [ %q, %side ], [ %x, … ]
//
// LLVM computes both values first; here work-items that all choose the other value skip the division. Runs after optimisation. Does
// nothing to selects between cheap values, and to those with a vector of conditions.
struct BranchAroundDivisions : llvm::PassInfoMixin<BranchAroundDivisions> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
