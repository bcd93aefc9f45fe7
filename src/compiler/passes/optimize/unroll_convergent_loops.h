// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Small loops around a function of the sub-group, such as a reduction in one instruction, are unrolled by
// four. LLVM's unroller leaves loops with convergent operations as they are if it does not know the number of
// trips: the rest of the trips would be behind a condition of its own. Where the number is the same for all
// work-items, that condition is, too. Larger loops around a barrier are unrolled if the number of trips is
// known, of which nothing is left over then. To run just before the unroller. Does nothing to loops with
// several convergent operations, with other calls, or with a wish of their own.
struct UnrollConvergentLoops : llvm::PassInfoMixin<UnrollConvergentLoops> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
