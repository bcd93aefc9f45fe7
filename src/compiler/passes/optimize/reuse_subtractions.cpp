// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/reuse_subtractions.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/original_order.h"

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

// Where instructions that are subtractions from the beginning are executed.
struct Places {
  const llvm::DominatorTree& dominators;
  OriginalOrder order;

  bool dominates(const llvm::Instruction& one, const llvm::Instruction& other) {
    return one.getParent() == other.getParent() ? order.is_before(one, other)
                                                : dominators.dominates(&one, &other);
  }
};

// An existing a − b that dominates `at`.
llvm::Instruction* difference(llvm::Value& a, llvm::Value& b, const llvm::Instruction& at, Places& places) {
  constexpr unsigned kMostUsers = 1000;
  unsigned users = 0;
  for (llvm::User* user : a.users()) {
    if (++users > kMostUsers) break;
    if (auto* found = llvm::dyn_cast<llvm::Instruction>(user);
        match(user, m_Sub(m_Specific(&a), m_Specific(&b))) && places.dominates(*found, at))
      return found;
  }
  return nullptr;
}

bool reuse(llvm::BinaryOperator& subtraction, Places& places) {
  llvm::Value *a = nullptr, *b = nullptr;
  llvm::Constant* step = nullptr;
  if (!match(&subtraction, m_Sub(m_AddLike(m_Value(a), m_ImmConstant(step)), m_Value(b)))) return false;
  llvm::Instruction* other = difference(*a, *b, subtraction, places);
  if (!other) return false;
  other->dropPoisonGeneratingFlags();  // a − b may overflow where `subtraction` does not
  subtraction.replaceAllUsesWith(llvm::IRBuilder<>(&subtraction).CreateAdd(other, step));
  subtraction.eraseFromParent();
  return true;
}

}  // namespace

llvm::PreservedAnalyses ReuseSubtractions::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
  Places places{analyses.getResult<llvm::DominatorTreeAnalysis>(function), OriginalOrder(function)};
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (instruction.getOpcode() == llvm::Instruction::Sub && instruction.getType()->isIntegerTy())
      changed |= reuse(llvm::cast<llvm::BinaryOperator>(instruction), places);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
