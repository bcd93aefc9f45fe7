// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Keeps a computation ahead of a branch if it would take more registers behind it: LLVM's code generator moves what only one side uses to
// that side, with all that it is computed from, such as a sum over an unrolled loop that is stored under a condition.
//
//   %x = load …                          →  %x = load …
//   %y = load …                             %y = load …
//   %sum = fma(%x, %y, fma(…))              %sum = fma(%x, %y, fma(…))
//   br i1 %inside, label %write, …          call asm sideeffect "", "f"(%sum)
//                                           br i1 %inside, label %write, …
//
// Empty assembly that takes the result uses it ahead of the branch. What would be moved together is weighed together: its operands that
// nothing else needs behind the branch against its results. Does nothing to addresses, conditions, and results whose operands take at most
// two registers more.
struct HoldResults : llvm::PassInfoMixin<HoldResults> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
