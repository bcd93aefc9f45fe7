// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/arrange_branches.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace clcuda::compiler {
namespace {

llvm::BranchInst* condition_of(llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() ? branch : nullptr;
}

void invert(llvm::BranchInst& branch) {
  auto* comparison = llvm::dyn_cast<llvm::CmpInst>(branch.getCondition());
  if (comparison && comparison->hasOneUse()) {
    comparison->setPredicate(comparison->getInversePredicate());
  } else {
    branch.setCondition(llvm::IRBuilder(&branch).CreateNot(branch.getCondition()));
  }
  branch.swapSuccessors();
}

// The last of the loop's blocks that follow its header without a gap in the function's block order.
llvm::BasicBlock& last_of(const llvm::Loop& loop) {
  llvm::BasicBlock* last = loop.getHeader();
  for (llvm::BasicBlock* next = last->getNextNode(); next && loop.contains(next); next = next->getNextNode())
    last = next;
  return *last;
}

void end_loops_in_branches_to_their_start(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::BasicBlock* latch = loop->getLoopLatch();
    llvm::BranchInst* branch = latch ? condition_of(*latch) : nullptr;
    if (!branch) continue;
    if (branch->getSuccessor(1) == loop->getHeader() && branch->getSuccessor(0) != loop->getHeader())
      invert(*branch);
    // Otherwise instruction selection would let control fall through to the header, and branch to the exit.
    if (latch->getNextNode() == loop->getHeader()) latch->moveAfter(&last_of(*loop));
  }
}

}  // namespace

llvm::PreservedAnalyses ArrangeBranches::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  for (llvm::BasicBlock& block : function)
    if (llvm::BranchInst* branch = condition_of(block))
      branch->setMetadata(llvm::LLVMContext::MD_prof, nullptr);
  end_loops_in_branches_to_their_start(function);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
