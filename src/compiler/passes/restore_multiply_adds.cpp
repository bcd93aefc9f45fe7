// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

// Of (w·y + w)·y: the product w·y, which is there already, if `factor` is y.
llvm::Value* inner_product(llvm::Instruction* sum, llvm::Value* factor) {
  llvm::Value *first = nullptr, *second = nullptr;
  if (!match(sum, m_OneUse(m_Add(m_Value(first), m_Value(second))))) return nullptr;
  if (match(first, m_c_Mul(m_Specific(second), m_Specific(factor)))) return first;
  if (match(second, m_c_Mul(m_Specific(first), m_Specific(factor)))) return second;
  return nullptr;
}

// x·y + x with x = w·y is a multiplication and addition in one; the optimiser makes it (x + w)·y, which is two instructions, because
// they have a factor in common.
void restore(llvm::BinaryOperator& product) {
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
    return;
  }
}

}  // namespace

void restore_multiply_adds(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (instruction.getOpcode() == llvm::Instruction::Mul)
        restore(llvm::cast<llvm::BinaryOperator>(instruction));
}

}  // namespace clcuda::compiler
