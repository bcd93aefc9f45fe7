// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/unroll_convergent_loops.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <optional>
#include <vector>

namespace clcuda::compiler {
namespace {

constexpr unsigned kFactor = 4;
constexpr std::ptrdiff_t kMostInstructions = 16;  // in larger loops the loop's own cost does not matter
constexpr std::ptrdiff_t kMostWhenCounted = 48;

// Inline PTX may have labels, which must be unique. An operation with ordered memory access, such as an atomic one, takes longer than the
// loop around it.
bool is_worth_repeating(const llvm::CallBase& call) {
  if (const auto* ptx = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return !ptx->getAsmString().contains(':') && !ptx->getConstraintString().contains("~{memory}");
  return call.getIntrinsicID() != llvm::Intrinsic::not_intrinsic;
}

// The contents of a loop whose only convergent call is worth repeating.
struct Contents {
  std::ptrdiff_t instructions = 0;
  unsigned calls = 0, convergent = 0;
};

std::optional<Contents> contents_of(const llvm::Loop& loop) {
  Contents contents;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    contents.instructions += block->sizeWithoutDebug();
    for (const llvm::Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || call->isDebugOrPseudoInst()) continue;
      if (call->cannotDuplicate()) return std::nullopt;
      if ((call->isConvergent() || call->isInlineAsm()) && !is_worth_repeating(*call)) return std::nullopt;
      ++contents.calls;
      contents.convergent += call->isConvergent();
    }
  }
  return contents.convergent == 1 ? std::optional(contents) : std::nullopt;
}

// If the trip count is known, so is the last iteration, and there is no remainder loop.
bool is_counted(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return loop.isInnermost() && evolution.getSmallConstantTripCount(&loop) >= 2 * kFactor;
}

class Unroller {
 public:
  Unroller(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function),
        analyses_(analyses),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)) {}

  bool run() {
    std::vector<llvm::Loop*> chosen;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder())
      if (llvm::hasUnrollTransformation(loop) == llvm::TM_Unspecified && is_to_be_unrolled(*loop))
        chosen.push_back(loop);
    for (llvm::Loop* loop : chosen) unroll(*loop);
    return !chosen.empty();
  }

 private:
  bool is_to_be_unrolled(const llvm::Loop& loop) {
    const std::optional<Contents> contents = contents_of(loop);
    if (!contents) return false;
    if (is_counted(loop, evolution_)) return contents->instructions <= kMostWhenCounted;
    return loop.getNumBlocks() == 1 && contents->calls == 1 && contents->instructions <= kMostInstructions &&
           evolution_.hasLoopInvariantBackedgeTakenCount(&loop) &&
           !analyses_.getResult<llvm::UniformityInfoAnalysis>(function_).hasDivergentTerminator(
               *loop.getHeader());
  }

  void unroll(llvm::Loop& loop) {
    auto& dominators = analyses_.getResult<llvm::DominatorTreeAnalysis>(function_);
    auto& assumptions = analyses_.getResult<llvm::AssumptionAnalysis>(function_);
    auto& remarks = analyses_.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function_);
    const auto& target = analyses_.getResult<llvm::TargetIRAnalysis>(function_);
    llvm::simplifyLoop(&loop, &dominators, &loops_, &evolution_, &assumptions, nullptr, true);
    llvm::formLCSSARecursively(loop, dominators, &loops_, &evolution_);
    llvm::UnrollLoopOptions options{.Count = kFactor,
                                    .Force = false,
                                    .Runtime = !is_counted(loop, evolution_),
                                    .AllowExpensiveTripCount = false,
                                    .UnrollRemainder = false,
                                    .ForgetAllSCEV = false,
                                    .SCEVExpansionBudget = 4};
    llvm::Loop* rest = nullptr;
    const auto result = llvm::UnrollLoop(&loop, options, &loops_, &evolution_, &dominators, &assumptions,
                                         &target, &remarks, true, &rest);
    // A loop that turns out to have at most four iterations no longer exists.
    if (result != llvm::LoopUnrollResult::PartiallyUnrolled) return;
    loop.setLoopAlreadyUnrolled();
    if (rest) rest->setLoopAlreadyUnrolled();
  }

  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
};

}  // namespace

llvm::PreservedAnalyses UnrollConvergentLoops::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager& analyses) {
  return Unroller(function, analyses).run() ? llvm::PreservedAnalyses::none()
                                            : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
