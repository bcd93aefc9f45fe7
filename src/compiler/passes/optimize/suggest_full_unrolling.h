// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace clcuda::compiler {

// Loops of a known number of trips that make moderately many instructions are unrolled whole, from the
// innermost outwards, as nvcc does: indices become constants, and local arrays registers. To run in the loop
// pass manager, just before its full unroller. Does nothing to loops with a wish of their own, and to those
// of more than 700 instructions in all.
struct SuggestFullUnrolling : llvm::PassInfoMixin<SuggestFullUnrolling> {
  static llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                     llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

}  // namespace clcuda::compiler
