// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/suggest_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace clcuda::compiler {
namespace {

constexpr unsigned factor = 4;              // what nvcc does to such loops
constexpr unsigned most_instructions = 48;  // of a loop's body

bool has_own_wish(const llvm::Loop& loop) {
  return llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified ||
         llvm::hasDisableAllTransformsHint(&loop);
}

// A barrier must be reached by all work-items together, which the rest of an unrolled loop would break.
bool is_small_and_free_of_barriers(const llvm::Loop& loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call &&
          (call->isConvergent() || !call->getCalledFunction() || !call->getCalledFunction()->isIntrinsic()))
        return false;
      if (++count > most_instructions) return false;
    }
  }
  return true;
}

bool profits(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || has_own_wish(loop) || !is_small_and_free_of_barriers(loop)) return false;
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  return trips >= 2 * factor && trips % factor == 0;
}

}  // namespace

llvm::PreservedAnalyses SuggestUnrolling::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (profits(*loop, evolution)) llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", factor);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
