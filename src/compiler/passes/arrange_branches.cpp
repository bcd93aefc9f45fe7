// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/arrange_branches.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

namespace clcuda::compiler {
namespace {

llvm::BranchInst* condition_of(llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() ? branch : nullptr;
}

// A block that one branch leads into and that goes nowhere but on.
bool is_side(const llvm::BasicBlock& block) {
  return block.getSinglePredecessor() && block.getSingleSuccessor();
}

// Which successor must seem rare for LLVM to leave the branch alone; nothing if it would do so anyway.
std::optional<unsigned> side_of(const llvm::BranchInst& branch) {
  const llvm::BasicBlock &first = *branch.getSuccessor(0), &second = *branch.getSuccessor(1);
  const bool joins_first = is_side(second) && second.getSingleSuccessor() == &first;
  if (joins_first) return 1;
  if (!is_side(first)) return std::nullopt;
  const bool joins_second = first.getSingleSuccessor() == &second;
  const bool both_join = is_side(second) && first.getSingleSuccessor() == second.getSingleSuccessor();
  return joins_second || both_join ? std::optional(0u) : std::nullopt;
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

}  // namespace

void keep_branches(llvm::Function& function) {
  constexpr std::uint32_t usual = 2000, rare = 1;
  llvm::MDBuilder metadata(function.getContext());
  for (llvm::BasicBlock& block : function) {
    llvm::BranchInst* branch = condition_of(block);
    const std::optional<unsigned> side = branch ? side_of(*branch) : std::nullopt;
    if (!side) continue;
    branch->setMetadata(llvm::LLVMContext::MD_prof, *side == 0 ? metadata.createBranchWeights(rare, usual)
                                                               : metadata.createBranchWeights(usual, rare));
  }
}

void arrange_branches(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (llvm::BasicBlock& block : function)
      if (llvm::BranchInst* branch = condition_of(block))
        branch->setMetadata(llvm::LLVMContext::MD_prof, nullptr);
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
      llvm::BasicBlock* latch = loop->getLoopLatch();
      llvm::BranchInst* branch = latch ? condition_of(*latch) : nullptr;
      if (branch && branch->getSuccessor(1) == loop->getHeader() &&
          branch->getSuccessor(0) != loop->getHeader())
        invert(*branch);
    }
  }
}

}  // namespace clcuda::compiler
