// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// The remainder loop that unrolling leaves of a loop whose loads depend on other loads (a gather) becomes straight-line code, so that the
// loads of all its iterations are in flight together. Iterations beyond the last one repeat it, and a select drops their results:
//
//   loop:  %v = load i32, ptr %at_index …    →  %v0 = load …;  %v1 = load …;  %sum1 = select i1 %is_one_more, …
//          br i1 %done, label %end, label %loop
//
// Does nothing to loops of more than seven iterations or 24 instructions, and to those that write. Runs after unrolling.
struct FlattenRemainders : llvm::PassInfoMixin<FlattenRemainders> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
