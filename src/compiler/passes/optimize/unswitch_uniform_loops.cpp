// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/unswitch_uniform_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace clcuda::compiler {
namespace {

constexpr std::ptrdiff_t kMostInstructions = 48;

// Labels in inline PTX must be unique, so it cannot be duplicated; other calls are long.
bool is_other_code(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::not_intrinsic;
}

// Inner loops that will be unrolled are excluded, because they will be longer than they are now.
bool may_stand_twice(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  std::ptrdiff_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    size += block->sizeWithoutDebug();
    if (llvm::any_of(*block, is_other_code)) return false;
  }
  return size <= kMostInstructions && loop.getLoopLatch() && loop.isSafeToClone() &&
         loop.getUniqueExitBlock() && llvm::none_of(loop.getSubLoops(), [&](const llvm::Loop* inner) {
           return evolution.hasLoopInvariantBackedgeTakenCount(inner);
         });
}

// Finds a loop-invariant, uniform branch with both sides in the loop. (The branch must be uniform, not only the condition: a value that is
// uniform in each iteration of an earlier loop is not uniform after it if work-items leave that loop in different iterations.)
llvm::BranchInst* constant_branch(const llvm::Loop& loop, llvm::UniformityInfo& uniformity) {
  for (llvm::BasicBlock* block : loop.blocks()) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch && branch->isConditional() && !llvm::isa<llvm::Constant>(branch->getCondition()) &&
        branch->getSuccessor(0) != branch->getSuccessor(1) && loop.contains(branch->getSuccessor(0)) &&
        loop.contains(branch->getSuccessor(1)) && loop.isLoopInvariant(branch->getCondition()) &&
        !uniformity.hasDivergentTerminator(*block))
      return branch;
  }
  return nullptr;
}

// Adds the edges from the copy's blocks to the phis of the loop's exit.
void add_ways_out(llvm::BasicBlock& exit, const llvm::Loop& loop, llvm::ValueToValueMapTy& copies) {
  for (llvm::PHINode& phi : exit.phis()) {
    for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
      if (!loop.contains(phi.getIncomingBlock(i))) continue;
      llvm::Value* value = phi.getIncomingValue(i);
      llvm::Value* copy = copies.lookup(value);
      phi.addIncoming(copy ? copy : value,
                      llvm::cast<llvm::BasicBlock>(copies.lookup(phi.getIncomingBlock(i))));
    }
  }
}

void unswitch(llvm::Loop& loop, llvm::BranchInst& branch, llvm::LoopInfo& loops,
              llvm::DominatorTree& dominators) {
  llvm::BasicBlock *before = loop.getLoopPreheader(), *exit = loop.getUniqueExitBlock();
  llvm::BasicBlock* preheader = llvm::SplitBlock(before, before->getTerminator(), &dominators, &loops);
  llvm::ValueToValueMapTy copies;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks;
  llvm::Loop* other =
      llvm::cloneLoopWithPreheader(preheader, before, &loop, copies, ".other", &loops, &dominators, blocks);
  llvm::remapInstructionsInBlocks(blocks, copies);
  add_ways_out(*exit, loop, copies);
  llvm::Instruction* end = before->getTerminator();
  // Frozen, because the condition may be undefined or poison where the loop would not have evaluated it.
  llvm::IRBuilder<> builder(end);
  llvm::Value* condition = builder.CreateFreeze(branch.getCondition());
  builder.CreateCondBr(condition, preheader, other->getLoopPreheader());
  end->eraseFromParent();
  llvm::cast<llvm::BranchInst>(copies.lookup(&branch))->setCondition(builder.getFalse());
  branch.setCondition(builder.getTrue());
}

}  // namespace

llvm::PreservedAnalyses UnswitchUniformLoops::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isLoopSimplifyForm() || !loop->isRecursivelyLCSSAForm(dominators, loops) ||
        !may_stand_twice(*loop, evolution))
      continue;
    llvm::BranchInst* branch =
        constant_branch(*loop, analyses.getResult<llvm::UniformityInfoAnalysis>(function));
    if (!branch) continue;
    unswitch(*loop, *branch, loops, dominators);
    return llvm::PreservedAnalyses::none();  // analyses of other loops are outdated
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
