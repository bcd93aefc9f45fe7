// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// For a loop that counts up to a bound and has another exit as well, uses the counter's value after the loop. It equals the bound at the
// counting exit, where LLVM writes the bound itself, which takes a register and a copy in each iteration:
//
//   end:  %r = phi i32 [ %i, %loop ], [ %n, %latch ]    →  %r = phi i32 [ %i, %loop ], [ %next, %latch ]
//
// Does nothing if the counter may begin beyond its bound, or is not compared with it in every iteration.
struct ReuseCounterAtExit : llvm::PassInfoMixin<ReuseCounterAtExit> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
