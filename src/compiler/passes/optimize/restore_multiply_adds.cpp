// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/restore_multiply_adds.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

// The existing product w·y in (w·y + w)·y, if `factor` is y.
llvm::Value* inner_product(llvm::Instruction* sum, llvm::Value* factor) {
  llvm::Value *first = nullptr, *second = nullptr;
  if (!match(sum, m_OneUse(m_Add(m_Value(first), m_Value(second))))) return nullptr;
  if (match(first, m_c_Mul(m_Specific(second), m_Specific(factor)))) return first;
  if (match(second, m_c_Mul(m_Specific(first), m_Specific(factor)))) return second;
  return nullptr;
}

bool restore(llvm::BinaryOperator& product) {
  for (const unsigned side : {0U, 1U}) {
    llvm::Value* factor = product.getOperand(side);
    auto* sum = llvm::dyn_cast<llvm::Instruction>(product.getOperand(1 - side));
    llvm::Value* inner =
        sum && sum->getParent() == product.getParent() ? inner_product(sum, factor) : nullptr;
    if (!inner) continue;
    llvm::IRBuilder<> builder(&product);
    product.replaceAllUsesWith(builder.CreateAdd(builder.CreateMul(inner, factor), inner));
    product.eraseFromParent();
    sum->eraseFromParent();
    return true;
  }
  return false;
}

}  // namespace

llvm::PreservedAnalyses RestoreMultiplyAdds::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (instruction.getOpcode() == llvm::Instruction::Mul)
      changed |= restore(llvm::cast<llvm::BinaryOperator>(instruction));
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
