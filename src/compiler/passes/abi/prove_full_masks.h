// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Where all work-items of a sub-group arrive together, as control flow shows, the mask of those that exchange
// values is a constant instead of what `activemask` says: the hardware need not have joined a warp again
// where its ways have met, and does not in code that ptxas has not optimised, while an instruction with the
// full mask waits for every lane. (It is cheaper, too.) Elsewhere the mask stays.
struct ProveFullMasks : llvm::PassInfoMixin<ProveFullMasks> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
