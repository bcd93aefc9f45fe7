// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Gives branches the form for which ptxas makes the best code: the condition at the end of a loop says when to continue, as ptxas peels
// loops whose condition says when to leave.
//
//   %done = icmp uge i32 %next, %n              →  %more = icmp ult i32 %next, %n
//   br i1 %done, label %end, label %loop           br i1 %more, label %loop, label %end
//
// It also removes branch weights (!prof): LLVM would place blocks that it takes for rare behind the function's end, which hides the loop
// from ptxas. Runs after optimisation. Does nothing else to loops that do not end in a conditional branch.
struct ArrangeBranches : llvm::PassInfoMixin<ArrangeBranches> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
