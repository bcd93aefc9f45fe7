// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/suggest_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/passes/optimize/loop_shapes.h"

namespace clcuda::compiler {
namespace {

// Measured against nvcc, which does much the same.
constexpr unsigned kUsualFactor = 4;
constexpr unsigned kMostInstructions =
    48;  // of the body of a loop that runs often or an unknown number of times
// Where a short body reads first where to read, only more turns at once have more loads under way together.
constexpr unsigned kMostInChain = 24, kFactorForChains = 8;
// A short body that runs often a known number of times, as over a tile of local memory (an n-body's took 1.025 of the time by four).
constexpr unsigned kManyTrips = 64, kMostInMany = 32, kFactorForMany = 8;

// A barrier must be reached by all work-items together, which the rest of an unrolled loop would break.
bool is_free_of_barriers(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || is_fetch(*call)) continue;
      if (call->isConvergent() || !call->getCalledFunction() || !call->getCalledFunction()->isIntrinsic())
        return false;
    }
  }
  return true;
}

// 1 leaves the loop to the unroller's own judgement.
unsigned factor_for(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || has_own_wish(loop) || !is_free_of_barriers(loop)) return 1;
  const unsigned trips = evolution.getSmallConstantTripCount(&loop), size = size_of(loop);
  if (size > kMostInstructions) return 1;
  if (trips >= kManyTrips && trips % kFactorForMany == 0 && size <= kMostInMany) return kFactorForMany;
  if (trips >= 2 * kUsualFactor && trips % kUsualFactor == 0) return kUsualFactor;
  if (trips > 0 || !evolution.hasLoopInvariantBackedgeTakenCount(&loop)) return 1;
  return size <= kMostInChain && chains_loads(loop) ? kFactorForChains : kUsualFactor;
}

// LLVM forbids further unrolling of what it has unrolled as it was told, and of the turns left over, and NVPTX tells ptxas so. Whether
// four turns of a loop are still short is for ptxas to judge, as in nvcc's code; and the turns left over of eight, where
// flatten_remainders.h does not.
void leave_the_rest_to_ptxas(llvm::Loop& loop, unsigned factor) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  const char* rest =
      factor == kUsualFactor ? "llvm.loop.unroll.followup_unrolled" : "llvm.loop.unroll.followup_remainder";
  auto* nothing = llvm::MDNode::get(context, {llvm::MDString::get(context, rest)});
  loop.setLoopID(llvm::makePostTransformationMetadata(context, loop.getLoopID(), {}, {nothing}));
}

}  // namespace

llvm::PreservedAnalyses SuggestUnrolling::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const unsigned factor = factor_for(*loop, evolution);
    if (factor == 1) continue;
    llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", factor);
    leave_the_rest_to_ptxas(*loop, factor);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
