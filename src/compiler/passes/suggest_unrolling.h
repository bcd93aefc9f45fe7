// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace clcuda::compiler {

// Whether a load, or a texture fetch, needs what another one in the same turn brings.
bool chains_loads(const llvm::Loop& loop);

// Innermost loops that are too large to unroll them whole are unrolled in part where that pays (by four, mostly):
// NVPTX's own threshold leaves most of them alone. To run just before the unroller.
struct SuggestUnrolling : llvm::PassInfoMixin<SuggestUnrolling> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Loops of a known number of trips that make moderately many instructions are unrolled whole, from the innermost
// outwards, as nvcc does: indices become constants, and local arrays registers. To run in the loop pass manager,
// just before its full unroller.
struct SuggestWholeUnrolling : llvm::PassInfoMixin<SuggestWholeUnrolling> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

}  // namespace clcuda::compiler
