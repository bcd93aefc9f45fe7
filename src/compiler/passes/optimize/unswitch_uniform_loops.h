// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Makes two loops of a small loop with a branch whose condition is loop-invariant and the same for all work-items, one for each side:
//
//   loop:  br i1 %c, label %double, label %latch    →  br i1 %c, label %loop, label %loop.other
//                                                       loop:        br i1 true, …
//                                                       loop.other:  br i1 false, …
//
// LLVM does not unswitch on targets with divergence: with a divergent condition the loops would run one after the other. Changes one loop
// of a function at most. Runs ahead of passes that simplify what is left of each loop. Does nothing to loops of more than 48 instructions,
// and to those that are not in simplified and LCSSA form.
struct UnswitchUniformLoops : llvm::PassInfoMixin<UnswitchUniformLoops> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
