// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/branch_groups.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <utility>

namespace clcuda::compiler {
namespace {

constexpr unsigned kMostMoreRegisters = 2;
constexpr unsigned kMostSuccessors = 16;

unsigned registers_of(const llvm::Type& type) {
  constexpr unsigned kBits = 32;
  if (type.isPtrOrPtrVectorTy()) return 2;
  const unsigned bits = unsigned(type.getPrimitiveSizeInBits().getFixedValue());
  return bits == 1 ? 0 : (bits + kBits - 1) / kBits;
}

template <class Values>
unsigned registers_of_all(const Values& values) {
  unsigned sum = 0;
  for (const llvm::Value* value : values) sum += registers_of(*value->getType());
  return sum;
}

bool can_move(const llvm::Instruction& instruction, bool with_loads) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple() && with_loads;
  return only_computes(instruction);
}

}  // namespace

bool only_computes(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) && !instruction.isTerminator() &&
         !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects() &&
         !(call && call->isConvergent());
}

BranchGroups::BranchGroups(llvm::BasicBlock& block, const llvm::DominatorTree& dominators, Loads loads)
    : block_(block), dominators_(dominators) {
  const unsigned successors = block.getTerminator()->getNumSuccessors();
  if (successors < 2 || successors > kMostSuccessors) return;
  llvm::EquivalenceClasses<llvm::Instruction*> classes;
  bool with_loads = loads == Loads::move;
  for (llvm::Instruction& instruction : llvm::reverse(block)) {
    with_loads &= !instruction.mayWriteToMemory();
    llvm::BasicBlock* target = can_move(instruction, with_loads) ? target_of(instruction) : nullptr;
    if (!target) continue;
    targets_[&instruction] = target;
    classes.insert(&instruction);
    for (llvm::User* user : instruction.users())
      if (targets_.contains(user)) classes.unionSets(&instruction, llvm::cast<llvm::Instruction>(user));
  }
  if (targets_.empty()) return;
  llvm::MapVector<llvm::Instruction*, llvm::SmallVector<llvm::Instruction*>> members;
  for (llvm::Instruction& instruction : block)
    if (targets_.contains(&instruction))
      members[classes.getLeaderValue(&instruction)].push_back(&instruction);
  for (const auto& [leader, group] : members) add(group);
}

void BranchGroups::add(llvm::ArrayRef<llvm::Instruction*> members) {
  Group group{targets_.lookup(members.front()), llvm::SmallVector<llvm::Instruction*>(members), {}, false};
  llvm::SmallSetVector<const llvm::Value*, 8> operands;
  for (llvm::Instruction* member : members) {
    if (llvm::any_of(member->users(), [&](const llvm::User* user) { return !targets_.contains(user); }))
      group.results.push_back(member);
    for (const llvm::Value* operand : member->operands())
      if (is_needed_here_only(*operand)) operands.insert(operand);
  }
  group.takes_more_registers_behind =
      registers_of_all(operands) > registers_of_all(group.results) + kMostMoreRegisters;
  groups_.push_back(std::move(group));
}

llvm::BasicBlock* BranchGroups::target_of(const llvm::Instruction& instruction) const {
  llvm::BasicBlock* target = nullptr;
  for (const llvm::Use& use : instruction.uses()) {
    llvm::BasicBlock* found = target_of(use);
    if (!found || (target && target != found)) return nullptr;
    target = found;
  }
  return target;
}

llvm::BasicBlock* BranchGroups::target_of(const llvm::Use& use) const {
  auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  auto* choice = llvm::dyn_cast<llvm::PHINode>(user);
  llvm::BasicBlock* place = choice ? choice->getIncomingBlock(use) : user->getParent();
  if (place == &block_) return choice ? choice->getParent() : targets_.lookup(user);
  for (llvm::BasicBlock* successor : llvm::successors(&block_))
    if (dominators_.dominates(successor, place)) return successor;
  return nullptr;
}

// True for a computed value that would be kept for what moves alone.
bool BranchGroups::is_needed_here_only(const llvm::Value& value) {
  if (!llvm::isa<llvm::Instruction>(value) || targets_.contains(&value)) return false;
  const auto [known, is_new] = needed_here_only_.try_emplace(&value);
  if (is_new)
    known->second = llvm::all_of(value.users(), [&](const llvm::User* user) {
      return llvm::cast<llvm::Instruction>(user)->getParent() == &block_ && !llvm::isa<llvm::PHINode>(user);
    });
  return known->second;
}

}  // namespace clcuda::compiler
