// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/hold_results.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

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

bool can_move(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) && !instruction.isTerminator() &&
         !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects() &&
         !(call && call->isConvergent());
}

// The letter that stands for values of the type in inline assembly; null if none does, or if it is no number.
const char* constraint_of(const llvm::Type& type) {
  if (type.isFloatTy()) return "f";
  if (type.isDoubleTy()) return "d";
  if (type.isIntegerTy(32)) return "r";
  return type.isIntegerTy(64) ? "l" : nullptr;
}

// What can move from one block to its successors.
class Movable {
 public:
  Movable(llvm::BasicBlock& block, const llvm::DominatorTree& dominators)
      : block_(block), dominators_(dominators) {
    for (llvm::Instruction& instruction : llvm::reverse(block)) {
      const llvm::BasicBlock* target = can_move(instruction) ? target_of(instruction) : nullptr;
      if (!target) continue;
      targets_[&instruction] = target;
      groups_.insert(&instruction);
      for (llvm::User* user : instruction.users())
        if (targets_.contains(user)) groups_.unionSets(&instruction, llvm::cast<llvm::Instruction>(user));
    }
  }

  // The results that take fewer registers than their operands would behind the branch.
  llvm::SmallVector<llvm::Instruction*> better_held() {
    llvm::SmallVector<llvm::Instruction*> found;
    for (const auto& group : groups_) {
      if (!group->isLeader()) continue;
      llvm::SmallVector<llvm::Instruction*> results;
      llvm::SmallSetVector<const llvm::Value*, 8> operands;
      for (auto member = groups_.member_begin(*group); member != groups_.member_end(); ++member) {
        if (is_used_outside(**member)) results.push_back(*member);
        for (const llvm::Value* operand : (*member)->operands())
          if (is_needed_here_only(*operand)) operands.insert(operand);
      }
      unsigned before = kMostMoreRegisters, behind = 0;
      for (const llvm::Instruction* result : results) before += registers_of(*result->getType());
      for (const llvm::Value* operand : operands) behind += registers_of(*operand->getType());
      if (behind > before) found.append(results);
    }
    return found;
  }

 private:
  // The successor that dominates all uses; null if there is none.
  const llvm::BasicBlock* target_of(const llvm::Instruction& instruction) const {
    const llvm::BasicBlock* target = nullptr;
    for (const llvm::Use& use : instruction.uses()) {
      const llvm::BasicBlock* found = target_of(use);
      if (!found || (target && target != found)) return nullptr;
      target = found;
    }
    return target;
  }

  const llvm::BasicBlock* target_of(const llvm::Use& use) const {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (llvm::isa<llvm::PHINode>(user)) return user->getParent();
    if (user->getParent() == &block_) return targets_.lookup(user);
    for (const llvm::BasicBlock* successor : llvm::successors(&block_))
      if (dominators_.dominates(successor, user->getParent())) return successor;
    return nullptr;
  }

  bool is_used_outside(const llvm::Instruction& instruction) const {
    return llvm::any_of(instruction.users(),
                        [&](const llvm::User* user) { return !targets_.contains(user); });
  }

  // True for a computed value that would be kept for what moves alone.
  bool is_needed_here_only(const llvm::Value& value) {
    if (!llvm::isa<llvm::Instruction>(value) || targets_.contains(&value)) return false;
    const auto [known, is_new] = needed_here_only_.try_emplace(&value);
    if (is_new)
      known->second = llvm::all_of(value.users(), [&](const llvm::User* user) {
        return llvm::cast<llvm::Instruction>(user)->getParent() == &block_ && !llvm::isa<llvm::PHINode>(user);
      });
    return known->second;
  }

  llvm::BasicBlock& block_;
  const llvm::DominatorTree& dominators_;
  llvm::DenseMap<const llvm::Value*, const llvm::BasicBlock*> targets_;
  llvm::EquivalenceClasses<llvm::Instruction*> groups_;
  llvm::DenseMap<const llvm::Value*, bool> needed_here_only_;
};

void use_at_end(llvm::Instruction& result) {
  llvm::IRBuilder<> builder(result.getParent()->getTerminator());
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result.getType());
  const char* constraint = constraint_of(*result.getType()->getScalarType());
  if (!constraint) return;
  for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
    llvm::Value* value = vector ? builder.CreateExtractElement(&result, i) : &result;
    auto* signature = llvm::FunctionType::get(builder.getVoidTy(), {value->getType()}, false);
    llvm::CallInst* call = builder.CreateCall(llvm::InlineAsm::get(signature, "", constraint, true), {value});
    call->setDoesNotAccessMemory();
    call->setDoesNotThrow();
  }
}

}  // namespace

llvm::PreservedAnalyses HoldResults::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    const unsigned successors = block.getTerminator()->getNumSuccessors();
    if (successors < 2 || successors > kMostSuccessors) continue;
    for (llvm::Instruction* result : Movable(block, dominators).better_held()) {
      use_at_end(*result);
      changed = true;
    }
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace clcuda::compiler
