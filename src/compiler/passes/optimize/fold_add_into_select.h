// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Selects between a sum and its operand instead of between an amount and 0; the same for differences, `or` and `xor`:
//
//   %amount = select i1 %c, i32 %y, i32 0    →  %t = add i32 %x, %y
//   %sum = add i32 %x, %amount                  %sum = select i1 %c, i32 %t, i32 %x
//
// ptxas compiles the second form to one predicated instruction, the first to two. Runs after optimisation, which turns the second form
// into the first. Does nothing to operations that are not on 32 bits, and if either operand has other uses.
struct FoldAddIntoSelect : llvm::PassInfoMixin<FoldAddIntoSelect> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
