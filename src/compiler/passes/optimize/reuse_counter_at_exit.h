// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// A loop that counts up to a bound and can be left on the way leaves its counter behind, which is the bound
// at the end. LLVM writes the bound itself there, which takes a register and a copy in each run of the loop;
// here the counter takes its place. Does nothing where the loop may begin beyond its bound, or does not test
// it in every turn.
struct ReuseCounterAtExit : llvm::PassInfoMixin<ReuseCounterAtExit> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
