// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/arrange_branches.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace clcuda::compiler {
namespace {

bool is_of_libdevice(const llvm::Function& function) {
  return function.getName().starts_with("__nv_") || function.getName().starts_with("__internal_");
}

llvm::BranchInst* condition_of(llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() ? branch : nullptr;
}

// Branches that libdevice's questions have decided vanish; those that are left tell what is computed on which side.
void remove_decided_branches(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    llvm::SimplifyInstructionsInBlock(&block);
    llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  }
  llvm::removeUnreachableBlocks(function);
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function))
    llvm::MergeBlockIntoPredecessor(&block);
}

// The sides of a function's branches, and what is on them.
class Sides {
 public:
  explicit Sides(llvm::Function& function)
      : dominators_(function), postdominators_(function), loops_(dominators_) {}

  // The number of the successor that does more than an operation before the sides meet again, if there is one.
  std::optional<unsigned> dear_side(const llvm::BranchInst& branch) const {
    const auto* meeting = postdominators_.getNode(branch.getParent())->getIDom();
    if (!meeting || loops_.getLoopFor(branch.getSuccessor(0)) != loops_.getLoopFor(branch.getSuccessor(1)))
      return std::nullopt;
    for (const unsigned side : {0u, 1u})
      if (is_dear(*branch.getSuccessor(side), meeting->getBlock())) return side;
    return std::nullopt;
  }

 private:
  // One operation and a choice are as cheap as a branch around the operation, and can be hoisted out of loops. Calls are of
  // intrinsics, among them every fused multiplication and addition.
  bool is_dear(const llvm::BasicBlock& side, const llvm::BasicBlock* meeting) const {
    if (&side == meeting || !side.getSinglePredecessor()) return false;
    llvm::SmallVector<llvm::BasicBlock*> blocks;
    dominators_.getDescendants(const_cast<llvm::BasicBlock*>(&side), blocks);
    unsigned operations = 0;
    for (const llvm::BasicBlock* block : blocks) {
      if (block == meeting) return false;
      for (const llvm::Instruction& instruction : *block) {
        if (llvm::isa<llvm::CallInst>(instruction)) return true;
        operations +=
            instruction.isBinaryOp() || instruction.isUnaryOp() || instruction.mayReadOrWriteMemory();
      }
    }
    return operations > 1;
  }

  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postdominators_;
  llvm::LoopInfo loops_;
};

// LLVM leaves a branch around what it takes to be rare.
void keep_branches_of(llvm::Function& function) {
  constexpr std::uint32_t usual = 2000, rare = 1;
  llvm::MDBuilder metadata(function.getContext());
  const Sides sides(function);
  for (llvm::BasicBlock& block : function) {
    llvm::BranchInst* branch = condition_of(block);
    const std::optional<unsigned> side = branch ? sides.dear_side(*branch) : std::nullopt;
    if (!side) continue;
    branch->setMetadata(llvm::LLVMContext::MD_prof, *side == 0 ? metadata.createBranchWeights(rare, usual)
                                                               : metadata.createBranchWeights(usual, rare));
  }
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

// As the function's blocks stand.
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
    // Instruction selection would have the start follow, and branch to the way out.
    if (latch->getNextNode() == loop->getHeader()) latch->moveAfter(&last_of(*loop));
  }
}

}  // namespace

void keep_branches(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !is_of_libdevice(function)) continue;
    remove_decided_branches(function);
    keep_branches_of(function);
    // Registers are scarce around calls. What is called from one place only, the inliner then puts there.
    function.removeFnAttr(llvm::Attribute::NoInline);
  }
}

void arrange_branches(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (llvm::BasicBlock& block : function)
      if (llvm::BranchInst* branch = condition_of(block))
        branch->setMetadata(llvm::LLVMContext::MD_prof, nullptr);
    end_loops_in_branches_to_their_start(function);
  }
}

}  // namespace clcuda::compiler
