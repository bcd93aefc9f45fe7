// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Loads of global memory that every iteration of an innermost loop makes behind a branch move ahead of the branch, to the other loads at
// the loop's beginning, so that they are in flight together. After unrolling, the loads of all but the first copy of a body that has a
// branch are such loads:
//
//   loop:   %x = load float, ptr addrspace(1) %a       →  loop:   %x = load float, ptr addrspace(1) %a
//           br i1 %near, label %add, label %second                %y = load float, ptr addrspace(1) %b
//   …                                                             br i1 %near, label %add, label %second
//   second: %y = load float, ptr addrspace(1) %b
//
// ptxas moves few loads across branches, even where it makes predicates of them. Runs after unrolling. Does nothing to loops that write,
// call functions or have several exits, to loads whose addresses depend on what a branch decides or take more than 31 instructions, and to
// more loads than 16 registers hold.
struct AdvanceLoads : llvm::PassInfoMixin<AdvanceLoads> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
