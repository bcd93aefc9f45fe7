// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

// x of |x|, or of a lane of it.
llvm::Value* number_of(llvm::Value* magnitude, llvm::IRBuilder<>& builder) {
  llvm::Value *number = nullptr, *lane = nullptr;
  const auto found = m_Intrinsic<llvm::Intrinsic::abs>(m_Value(number));
  if (match(magnitude, found)) return number;
  if (match(magnitude, m_ExtractElt(found, m_Value(lane)))) return builder.CreateExtractElement(number, lane);
  return nullptr;
}

// What the library converts with another rounding than the usual one.
bool is_rounded_conversion(const llvm::Instruction& each) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&each);
  return call && call->arg_size() == 1 && call->doesNotAccessMemory() &&
         call->getType()->isFPOrFPVectorTy() && call->getArgOperand(0)->getType()->isIntOrIntVectorTy();
}

llvm::Value* replacement(llvm::Instruction& each) {
  llvm::Value* magnitude = nullptr;
  const bool is_opposite = match(&each, m_Neg(m_Value(magnitude)));
  if (!is_opposite && !match(&each, m_UIToFP(m_Value(magnitude)))) return nullptr;
  llvm::IRBuilder<> builder(&each);
  llvm::Value* number = number_of(magnitude, builder);
  if (!number) return nullptr;
  if (is_opposite)
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, number, builder.CreateNeg(number));
  return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, builder.CreateSIToFP(number, each.getType()));
}

void keep_operand(llvm::Instruction& each) {
  if (each.getOpcode() != llvm::Instruction::SRem && !is_rounded_conversion(each)) return;
  llvm::IRBuilder<> builder(&each);
  if (llvm::Value* number = number_of(each.getOperand(0), builder))
    each.setOperand(0,
                    builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, number, builder.CreateNeg(number)));
}

}  // namespace

void keep_magnitudes(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (llvm::Value* value = replacement(each)) {
        each.replaceAllUsesWith(value);
        each.eraseFromParent();
      } else {
        keep_operand(each);
      }
    }
  }
}

}  // namespace clcuda::compiler
