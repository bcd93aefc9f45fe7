// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/ptxas_fabs.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

bool has_negative_zero(const llvm::Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (!constant) return false;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  if (!vector) return match(constant, m_NegZeroFP());
  return llvm::any_of(llvm::seq(vector->getNumElements()), [&](unsigned lane) {
    const llvm::Constant* element = constant->getAggregateElement(lane);
    return element && match(element, m_NegZeroFP());
  });
}

// Whether ptxas may conclude from the operands that the result has no sign.
bool is_seen_through(const llvm::Value& value) {
  if (!value.getType()->getScalarType()->isFloatTy()) return false;
  if (llvm::isa<llvm::SelectInst, llvm::PHINode, llvm::FreezeInst, llvm::ExtractElementInst,
                llvm::InsertElementInst, llvm::ShuffleVectorInst>(value))
    return true;
  if (const auto* arithmetic = llvm::dyn_cast<llvm::BinaryOperator>(&value))
    return arithmetic->getOpcode() == llvm::Instruction::FMul ||
           arithmetic->getOpcode() == llvm::Instruction::FAdd ||
           arithmetic->getOpcode() == llvm::Instruction::FSub;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
  if (!call) return false;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimumnum:
    case llvm::Intrinsic::maximumnum:
      return true;
    default:
      return false;
  }
}

// What is computed from a constant -0.0f through such operations.
llvm::SetVector<llvm::Value*> made_of_negative_zeros(llvm::Function& function) {
  llvm::SetVector<llvm::Value*> found;
  for (llvm::Instruction& each : llvm::instructions(function))
    if (is_seen_through(each) &&
        llvm::any_of(each.operands(), [](const llvm::Use& use) { return has_negative_zero(*use); }))
      found.insert(&each);
  for (size_t i = 0; i < found.size(); ++i)  // grows meanwhile
    for (llvm::User* user : found[i]->users())
      if (is_seen_through(*user)) found.insert(user);
  return found;
}

// As inline assembly, since the back end makes |x| of any other operation that removes the sign.
llvm::Value* without_sign(llvm::IRBuilder<>& builder, llvm::Value* number) {
  llvm::Type* bits = builder.getInt32Ty();
  llvm::InlineAsm* remove = llvm::InlineAsm::get(llvm::FunctionType::get(bits, {bits}, false),
                                                 "and.b32 $0, $1, 2147483647;", "=r,r",
                                                 /*hasSideEffects=*/false);
  const auto of_lane = [&](llvm::Value* lane) {
    return builder.CreateBitCast(builder.CreateCall(remove, builder.CreateBitCast(lane, bits)),
                                 lane->getType());
  };
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(number->getType());
  if (!vector) return of_lane(number);
  llvm::Value* all = llvm::PoisonValue::get(number->getType());
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
    all = builder.CreateInsertElement(all, of_lane(builder.CreateExtractElement(number, lane)), lane);
  return all;
}

}  // namespace

llvm::PreservedAnalyses PtxasFabs::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::SetVector<llvm::Value*> numbers = made_of_negative_zeros(function);
  if (numbers.empty()) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    llvm::Value* number = nullptr;
    if (!match(&each, m_FAbs(m_Value(number))) || !numbers.contains(number) || each.hasNoSignedZeros())
      continue;
    llvm::IRBuilder<> builder(&each);
    each.replaceAllUsesWith(without_sign(builder, number));
    each.eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
