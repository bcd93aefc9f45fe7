// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// In functions for which PromoteUniformAddresses has acted: a value that at most ten cheap instructions make from ids of the work-item and
// its group, and that is used again behind a loop, is computed again there.
//
//   entry:  %id = …; %place = getelementptr float, ptr addrspace(1) %p, i64 %id
//   loop:   …                                                 →  the same
//   end:    store float %sum, ptr addrspace(1) %place         →  %id2 = …; %place2 = getelementptr …; store float %sum, … %place2
//
// Otherwise it would hold registers through the loop, which ptxas then lacks for loads ahead of time. Does nothing in other functions.
struct RematerializeIds : llvm::PassInfoMixin<RematerializeIds> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
