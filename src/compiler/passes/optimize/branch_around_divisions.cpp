// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/branch_around_divisions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <array>

#include "compiler/passes/optimize/branch_groups.h"
#include "compiler/passes/original_order.h"

namespace clcuda::compiler {
namespace {

using Instructions = llvm::SmallSetVector<llvm::Instruction*, 16>;

// Floating-point only: LLVM never speculates an integer division by a value that may be zero, so it is already behind a branch.
bool is_division_or_root(const llvm::Instruction* instruction) {
  if (instruction->getOpcode() == llvm::Instruction::FDiv) return true;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::sqrt;
}

// The adjacent selects with one condition that end with `last`, which comes first in the result. None uses the result of another.
Instructions choices_to(llvm::SelectInst& last) {
  Instructions choices;
  const auto is_chosen = [&](llvm::User* user) {
    return choices.contains(llvm::cast<llvm::Instruction>(user));
  };
  for (llvm::SelectInst* select = &last;
       select && select->getCondition() == last.getCondition() && llvm::none_of(select->users(), is_chosen);
       select = llvm::dyn_cast_or_null<llvm::SelectInst>(select->getPrevNode()))
    choices.insert(select);
  return choices;
}

// The instructions in the selects' block that are needed only for their operand `operand`. Users precede their operands.
Instructions needed_for(const Instructions& choices, unsigned operand) {
  constexpr unsigned kMost = 64, kMostUses = 16;
  Instructions needed;
  llvm::SmallVector<llvm::Value*> open;
  for (const llvm::Instruction* choice : choices) open.push_back(choice->getOperand(operand));
  while (!open.empty() && needed.size() < kMost) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!instruction || instruction->getParent() != choices.front()->getParent() ||
        !only_computes(*instruction) || instruction->hasNUsesOrMore(kMostUses))
      continue;
    const bool only_here = llvm::all_of(instruction->uses(), [&](const llvm::Use& use) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      return needed.contains(user) || (choices.contains(user) && use.getOperandNo() == operand);
    });
    if (only_here && needed.insert(instruction)) open.append(instruction->op_begin(), instruction->op_end());
  }
  return needed;
}

// Moves the needed instructions, in their order, to a block of their own ahead of `tail`.
llvm::BasicBlock* block_of(const Instructions& needed, OriginalOrder& order, llvm::BasicBlock& tail) {
  auto* block = llvm::BasicBlock::Create(tail.getContext(), "", tail.getParent(), &tail);
  const auto end = llvm::BranchInst::Create(&tail, block)->getIterator();
  llvm::SmallVector<llvm::Instruction*> moved(needed.begin(), needed.end());
  llvm::sort(moved, [&](const llvm::Instruction* one, const llvm::Instruction* other) {
    return order.is_before(*one, *other);
  });
  for (llvm::Instruction* instruction : moved) instruction->moveBefore(end);
  return block;
}

// Replaces the selects by a branch and phis, if a division or square root is needed for one of their values. Returns the blocks on the
// branch's sides.
llvm::SmallVector<llvm::BasicBlock*, 2> branch_instead_of(const Instructions& choices, OriginalOrder& order) {
  llvm::Value* condition = choices.front()->getOperand(0);
  if (!condition->getType()->isIntegerTy(1) || llvm::isa<llvm::Constant>(condition)) return {};
  const std::array needed = {needed_for(choices, 1), needed_for(choices, 2)};
  if (llvm::none_of(needed, [](const auto& side) { return llvm::any_of(side, is_division_or_root); }))
    return {};

  llvm::BasicBlock* head = choices.front()->getParent();
  llvm::BasicBlock* tail = llvm::SplitBlock(head, choices.back());
  llvm::SmallVector<llvm::BasicBlock*, 2> sides;
  std::array sources = {head, head}, targets = {tail, tail};
  for (unsigned side = 0; side < 2; ++side) {
    if (!llvm::any_of(needed[side], is_division_or_root)) continue;
    sources[side] = targets[side] = block_of(needed[side], order, *tail);
    sides.push_back(targets[side]);
  }
  llvm::IRBuilder<> builder(head->getTerminator());
  if (!llvm::isGuaranteedNotToBeUndefOrPoison(condition)) condition = builder.CreateFreeze(condition);
  llvm::ReplaceInstWithInst(head->getTerminator(),
                            llvm::BranchInst::Create(targets[0], targets[1], condition));
  for (llvm::Instruction* choice : choices) {
    auto* value = llvm::PHINode::Create(choice->getType(), 2, "", tail->begin());
    for (unsigned side = 0; side < 2; ++side) value->addIncoming(choice->getOperand(side + 1), sources[side]);
    choice->replaceAllUsesWith(value);
    choice->eraseFromParent();
  }
  return sides;
}

}  // namespace

llvm::PreservedAnalyses BranchAroundDivisions::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::BasicBlock*> open;
  for (llvm::BasicBlock& block : function) open.push_back(&block);
  OriginalOrder order(function);
  bool changed = false;
  while (!open.empty()) {
    llvm::BasicBlock* block = open.pop_back_val();
    for (llvm::Instruction* next = block->getTerminator(); next;) {
      auto* select = llvm::dyn_cast<llvm::SelectInst>(next);
      const Instructions choices = select ? choices_to(*select) : Instructions();
      next = (select ? choices.back() : next)->getPrevNode();
      const auto sides =
          select ? branch_instead_of(choices, order) : llvm::SmallVector<llvm::BasicBlock*, 2>();
      if (!sides.empty()) next = block->getTerminator();
      changed |= !sides.empty();
      open.append(sides);
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
