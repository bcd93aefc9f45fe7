// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/suggest_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace clcuda::compiler {
namespace {

// Measured against nvcc, which does much the same.
constexpr unsigned usual_factor = 4;
constexpr unsigned most_instructions =
    48;  // of the body of a loop that runs often or an unknown number of times
constexpr unsigned few_trips = 32;
constexpr unsigned most_in_part = 1400;    // instructions of a loop of few trips after it is unrolled in part
constexpr unsigned most_when_whole = 700;  // of a loop after it is unrolled whole

bool has_own_wish(const llvm::Loop& loop) {
  return llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified ||
         llvm::hasDisableAllTransformsHint(&loop);
}

unsigned size_of(const llvm::Loop& loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) count += unsigned(block->sizeWithoutDebug());
  return count;
}

// A barrier must be reached by all work-items together, which the rest of an unrolled loop would break.
bool is_free_of_barriers(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call &&
          (call->isConvergent() || !call->getCalledFunction() || !call->getCalledFunction()->isIntrinsic()))
        return false;
    }
  }
  return true;
}

// The largest power of two up to 8 that divides `trips` and keeps the loop small enough.
unsigned factor_for_few(unsigned trips, unsigned size) {
  for (unsigned factor : {8u, 4u, 2u}) {
    if (trips % factor == 0 && trips > factor && size * factor <= most_in_part) return factor;
  }
  return 1;
}

// 1 leaves the loop to the unroller's own judgement.
unsigned factor_for(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || has_own_wish(loop) || !is_free_of_barriers(loop)) return 1;
  const unsigned trips = evolution.getSmallConstantTripCount(&loop), size = size_of(loop);
  if (trips > usual_factor && trips <= few_trips && size > most_instructions)
    return factor_for_few(trips, size);
  if (size > most_instructions) return 1;
  const bool divides = trips >= 2 * usual_factor && trips % usual_factor == 0;
  return divides || (trips == 0 && evolution.hasLoopInvariantBackedgeTakenCount(&loop)) ? usual_factor : 1;
}

}  // namespace

llvm::PreservedAnalyses SuggestUnrolling::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const unsigned factor = factor_for(*loop, evolution);
    if (factor > 1) llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", factor);
  }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses SuggestWholeUnrolling::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                                   llvm::LoopStandardAnalysisResults& results,
                                                   llvm::LPMUpdater&) {
  const unsigned trips = results.SE.getSmallConstantTripCount(&loop);
  if (trips > 1 && loop.isInnermost() && !has_own_wish(loop) && trips * size_of(loop) <= most_when_whole)
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
