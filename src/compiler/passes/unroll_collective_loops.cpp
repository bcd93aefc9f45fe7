// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/unroll_collective_loops.h"

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

#include <algorithm>

namespace clcuda::compiler {
namespace {

constexpr unsigned factor = 4;
constexpr std::ptrdiff_t most_instructions = 16;  // of the loop: in larger ones its own cost does not count

// A program's own PTX may have labels, of which there must be one each. What goes to memory in an order, such as an atomic operation, takes
// longer than the loop around it.
bool is_worth_repeating(const llvm::CallBase& call) {
  if (const auto* ptx = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return !ptx->getAsmString().contains(':') && !ptx->getConstraintString().contains("~{memory}");
  return call.getIntrinsicID() != llvm::Intrinsic::not_intrinsic;
}

// One block with one collective operation, in PTX or as an instruction, and no other call.
bool is_small_collective(const llvm::Loop& loop) {
  const llvm::BasicBlock* block = loop.getHeader();
  if (loop.getNumBlocks() != 1 || block->sizeWithoutDebug() > most_instructions) return false;
  unsigned calls = 0, convergent = 0;
  for (const llvm::Instruction& instruction : *block) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || call->isDebugOrPseudoInst()) continue;
    ++calls;
    if (call->isConvergent() && is_worth_repeating(*call)) ++convergent;
  }
  return calls == 1 && convergent == 1;
}

}  // namespace

llvm::PreservedAnalyses UnrollCollectiveLoops::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  std::vector<llvm::Loop*> chosen;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!is_small_collective(*loop) || llvm::hasUnrollTransformation(loop) != llvm::TM_Unspecified) continue;
    auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
    if (!uniformity.hasDivergentTerminator(*loop->getHeader())) chosen.push_back(loop);
  }
  if (chosen.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto& remarks = analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
  const auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  for (llvm::Loop* loop : chosen) {
    if (!evolution.hasLoopInvariantBackedgeTakenCount(loop)) continue;
    llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr, true);
    llvm::formLCSSARecursively(*loop, dominators, &loops, &evolution);
    llvm::UnrollLoopOptions options{.Count = factor,
                                    .Force = false,
                                    .Runtime = true,
                                    .AllowExpensiveTripCount = false,
                                    .UnrollRemainder = false,
                                    .ForgetAllSCEV = false,
                                    .SCEVExpansionBudget = 4};
    llvm::Loop* rest = nullptr;
    if (llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                         true, &rest) == llvm::LoopUnrollResult::Unmodified)
      continue;
    loop->setLoopAlreadyUnrolled();
    if (rest) rest->setLoopAlreadyUnrolled();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
