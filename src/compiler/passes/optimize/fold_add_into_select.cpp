// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/fold_add_into_select.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

// A value that is 0 unless `condition` equals `if_true`.
struct Amount {
  llvm::Value *condition = nullptr, *value = nullptr;
  bool if_true = true;
};

std::optional<Amount> amount_of(llvm::Value& value) {
  Amount amount;
  if (!value.hasOneUse()) return std::nullopt;
  if (match(&value, m_Select(m_Value(amount.condition), m_Value(amount.value), m_Zero()))) return amount;
  amount.if_true = !match(&value, m_Select(m_Value(amount.condition), m_Zero(), m_Value(amount.value)));
  if (!amount.if_true) return amount;
  if (!match(&value, m_ZExtOrSExt(m_Value(amount.condition))) ||
      !amount.condition->getType()->isIntOrIntVectorTy(1))
    return std::nullopt;
  amount.value = llvm::ConstantInt::getSigned(value.getType(), llvm::isa<llvm::ZExtInst>(value) ? 1 : -1);
  return amount;
}

bool keeps_what_zero_joins(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      return instruction.getType()->isIntOrIntVectorTy(32);
    default:
      return false;
  }
}

// Replaces the sum of `other` and an amount by a select. ptxas compiles that to one predicated instruction, which adds in place, if `other`
// has no further use.
bool choose(llvm::Instruction& sum, llvm::Value& other, const std::optional<Amount>& amount) {
  if (!amount || !llvm::isa<llvm::Instruction>(other) || !other.hasOneUse()) return false;
  llvm::IRBuilder<> builder(&sum);
  llvm::Value* added =
      builder.CreateBinOp(llvm::Instruction::BinaryOps(sum.getOpcode()), &other, amount->value);
  llvm::Value *if_true = amount->if_true ? added : &other, *if_false = amount->if_true ? &other : added;
  sum.replaceAllUsesWith(builder.CreateSelect(amount->condition, if_true, if_false));
  sum.eraseFromParent();
  return true;
}

bool fold(llvm::Instruction& sum) {
  llvm::Value &left = *sum.getOperand(0), &right = *sum.getOperand(1);
  return choose(sum, left, amount_of(right)) || (sum.isCommutative() && choose(sum, right, amount_of(left)));
}

}  // namespace

llvm::PreservedAnalyses FoldAddIntoSelect::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (keeps_what_zero_joins(instruction)) changed |= fold(instruction);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
