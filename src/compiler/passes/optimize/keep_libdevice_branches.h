// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Keeps LLVM from replacing branches in libdevice by selects: ptxas can do that as well, and knows better what a branch costs. A branch
// around more than one operation gets weights that say that the operations are rarely needed.
//
//   br i1 %c, label %one, label %end    →  br i1 %c, label %one, label %end, !prof !{!"branch_weights", i32 1, i32 2000}
//
// The functions of libdevice also lose noinline. Runs after ResolveNvvmReflect, and removes the branches which that has decided. Does
// nothing to other functions.
struct KeepLibdeviceBranches : llvm::PassInfoMixin<KeepLibdeviceBranches> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
