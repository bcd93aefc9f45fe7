// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace clcuda::compiler {

// Asks for full unrolling of innermost loops with a constant trip count that have at most 700 instructions in all iterations together,
// about as nvcc does: indices become constants, and private arrays registers.
//
//   br i1 %more, label %loop, label %end    →  br i1 %more, label %loop, label %end, !llvm.loop !{… "llvm.loop.unroll.full"}
//
// As a loop becomes innermost once those in it are unrolled, nests unroll from the inside. Runs in the loop pass manager, just before
// LLVM's full unroller, whose threshold is lower. Does nothing to loops that say how to be unrolled (#pragma unroll).
struct SuggestFullUnrolling : llvm::PassInfoMixin<SuggestFullUnrolling> {
  static llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                     llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

}  // namespace clcuda::compiler
