// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Moves loads and integer divisions that only one side of a branch needs to that side, with what is computed from them:
//
//   %y = load …                                      br i1 %is_negative, label %one, …
//   %q = sdiv i64 %x, %n                        →    one:
//   br i1 %is_negative, label %one, …                  %y = load …
//                                                      %q = sdiv i64 %x, %n
//
// InstCombine would, but moves everything (pipeline.cpp); the code generator moves what is cheaper, but no load past a store, and no long
// division. Does nothing if the operands would take more registers than the results do, or if that side can be reached in another way.
struct MoveBehindBranches : llvm::PassInfoMixin<MoveBehindBranches> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
