// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/keep_libdevice_branches.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
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

// Branches on queries of libdevice (__nvvm_reflect) are decided and removed. The remaining ones show what is computed on which side.
void remove_decided_branches(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    llvm::SimplifyInstructionsInBlock(&block);
    llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  }
  llvm::removeUnreachableBlocks(function);
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function))
    llvm::MergeBlockIntoPredecessor(&block);
}

// The sides of a function's branches, and what they compute.
class Sides {
 public:
  explicit Sides(llvm::Function& function)
      : dominators_(function), postdominators_(function), loops_(dominators_) {}

  // The number of a successor that executes more than one operation before the sides meet again, if there is one.
  std::optional<unsigned> dear_side(const llvm::BranchInst& branch) const {
    const auto* meeting = postdominators_.getNode(branch.getParent())->getIDom();
    if (!meeting || loops_.getLoopFor(branch.getSuccessor(0)) != loops_.getLoopFor(branch.getSuccessor(1)))
      return std::nullopt;
    for (const unsigned side : {0u, 1u})
      if (is_dear(*branch.getSuccessor(side), meeting->getBlock())) return side;
    return std::nullopt;
  }

 private:
  // One operation and a select are as cheap as a branch around the operation, and can be hoisted out of loops. A call counts as expensive:
  // calls are of intrinsics, among them every fused multiply-add.
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

// LLVM keeps a branch around a side whose branch weight says that it is rare.
void keep_branches_of(llvm::Function& function) {
  constexpr std::uint32_t kUsual = 2000, kRare = 1;
  llvm::MDBuilder metadata(function.getContext());
  const Sides sides(function);
  for (llvm::BasicBlock& block : function) {
    llvm::BranchInst* branch = condition_of(block);
    const std::optional<unsigned> side = branch ? sides.dear_side(*branch) : std::nullopt;
    if (!side) continue;
    branch->setMetadata(llvm::LLVMContext::MD_prof, *side == 0 ? metadata.createBranchWeights(kRare, kUsual)
                                                               : metadata.createBranchWeights(kUsual, kRare));
  }
}

}  // namespace

llvm::PreservedAnalyses KeepLibdeviceBranches::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!is_of_libdevice(function)) return llvm::PreservedAnalyses::all();
  remove_decided_branches(function);
  keep_branches_of(function);
  // Registers are scarce around calls. Without noinline, the inliner inlines a function that has one call site.
  function.removeFnAttr(llvm::Attribute::NoInline);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
