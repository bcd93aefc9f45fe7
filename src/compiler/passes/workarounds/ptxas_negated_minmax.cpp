// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/ptxas_negated_minmax.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

bool is_opposite(llvm::Value* value) {
  return match(value, m_CombineOr(m_Neg(m_Value()), m_ExtractElt(m_Neg(m_Value()), m_Value())));
}

// -x equals ~(x - 1), and ~ reverses the order.
llvm::Value* greater_or_lesser_opposite(llvm::MinMaxIntrinsic& of) {
  llvm::IRBuilder<> builder(&of);
  llvm::Constant* ones = llvm::Constant::getAllOnesValue(of.getType());
  llvm::Value* one = builder.CreateAdd(builder.CreateNeg(of.getLHS()), ones);
  llvm::Value* other = builder.CreateAdd(builder.CreateNeg(of.getRHS()), ones);
  return builder.CreateNot(
      builder.CreateBinaryIntrinsic(llvm::getInverseMinMaxIntrinsic(of.getIntrinsicID()), one, other));
}

}  // namespace

llvm::PreservedAnalyses PtxasNegatedMinmax::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* of = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&each);
    if (!of || !of->isSigned() || of->getType()->getScalarSizeInBits() != 32 || !is_opposite(of->getRHS()))
      continue;
    changed = true;
    if (is_opposite(of->getLHS())) {
      of->replaceAllUsesWith(greater_or_lesser_opposite(*of));
      of->eraseFromParent();
    } else {
      llvm::Value* opposite = of->getRHS();
      of->setArgOperand(1, of->getLHS());
      of->setArgOperand(0, opposite);
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
