// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// (a + 1) − b becomes (a − b) + 1 where a − b is there, as between the turns of a loop that stand one after
// the other. Does nothing where a − b is not computed ahead of it anyway.
struct ReuseSubtractions : llvm::PassInfoMixin<ReuseSubtractions> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
