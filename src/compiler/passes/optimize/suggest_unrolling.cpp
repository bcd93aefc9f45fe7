// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/suggest_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>

#include "compiler/passes/optimize/loop_shapes.h"

namespace clcuda::compiler {
namespace {

// Chosen by measurements against nvcc, which unrolls similarly.
constexpr unsigned kUsualFactor = 4;
// Instructions in the body of a loop with an unknown number of iterations.
constexpr unsigned kMostInBody = 60;
// The same with a known number. ptxas unrolls longer ones itself.
constexpr unsigned kMostInKnownBody = 48;
// Instructions in all copies of the body of a loop with a known number of iterations that read the same elements, as those of a window that
// moves by less than its length do: only copies whose addresses differ by constants can share a load.
constexpr unsigned kMostInSharingCopies = 400;
// A short body in which a load's address is loaded first: only more iterations at once have more loads in flight.
constexpr unsigned kMostInChain = 24, kFactorForChains = 8;
// A short body with a large known trip count, such as one over a tile of local memory (an n-body loop unrolled by four took 1.025 times as
// long as by eight).
constexpr unsigned kManyTrips = 64, kMostInMany = 32, kFactorForMany = 8;

// All work-items must reach a barrier together. The remainder loop could break that.
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

// Whether a load reads what another one reads in one of the next iterations.
bool shares_loads(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  constexpr std::size_t kMostLoads = 64;
  llvm::SmallVector<const llvm::SCEVAddRecExpr*> addresses;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block)
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple())
        if (const auto* address =
                llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(load->getPointerOperand()));
            address && address->getLoop() == &loop && address->isAffine())
          addresses.push_back(address);
  if (addresses.size() > kMostLoads) return false;
  for (const auto* one : addresses) {
    const auto* stride = llvm::dyn_cast<llvm::SCEVConstant>(one->getStepRecurrence(evolution));
    if (!stride || stride->isZero()) continue;
    for (const auto* other : addresses) {
      const std::optional<llvm::APInt> distance = evolution.computeConstantDifference(one, other);
      if (!distance || !distance->srem(stride->getAPInt()).isZero()) continue;
      const llvm::APInt iterations = distance->sdiv(stride->getAPInt());
      if (iterations.isStrictlyPositive() && iterations.ult(kUsualFactor)) return true;
    }
  }
  return false;
}

// 1 leaves the decision to LLVM's unroller.
unsigned factor_for(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || has_own_wish(loop) || !is_free_of_barriers(loop)) return 1;
  const unsigned trips = evolution.getSmallConstantTripCount(&loop), size = size_of(loop);
  if (trips >= kManyTrips && trips % kFactorForMany == 0 && size <= kMostInMany) return kFactorForMany;
  if (trips > 0) {
    const bool divides = trips >= 2 * kUsualFactor && trips % kUsualFactor == 0;
    const bool is_short = size <= kMostInKnownBody ||
                          (size * kUsualFactor <= kMostInSharingCopies && shares_loads(loop, evolution));
    return divides && is_short ? kUsualFactor : 1;
  }
  if (size > kMostInBody || !evolution.hasLoopInvariantBackedgeTakenCount(&loop)) return 1;
  return size <= kMostInChain && chains_loads(loop) ? kFactorForChains : kUsualFactor;
}

// LLVM disables further unrolling of a loop that it has unrolled on request, and of its remainder loop, and NVPTX passes that on to ptxas.
// After unrolling by four, ptxas may unroll the loop further if it is still short, as in nvcc's code; after unrolling by eight, it may
// unroll the remainder loops that flatten_remainders.h leaves.
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
