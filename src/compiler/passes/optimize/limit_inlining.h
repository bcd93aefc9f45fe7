// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Marks calls noinline that would make a function larger than 40,000 instructions, or the whole program grow by more than 400,000, so that
// optimisation ends in an acceptable time. LLVM judges each call by itself and does not limit the sum. Does nothing to alwaysinline
// functions and in programs of usual size.
//
//   call void @medium()    →  call void @medium() noinline
struct LimitInlining : llvm::PassInfoMixin<LimitInlining> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
