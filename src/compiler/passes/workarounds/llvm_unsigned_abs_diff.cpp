// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/llvm_unsigned_abs_diff.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

struct Operands {
  llvm::Value *one = nullptr, *other = nullptr;
  bool is_negative = false;  // it is the negated absolute difference
};

// The operands, if the instruction is the absolute difference of two unsigned numbers or its negation.
std::optional<Operands> operands_of(llvm::Instruction& each) {
  Operands found;
  if (match(&each, m_Sub(m_UMax(m_Value(found.one), m_Value(found.other)),
                         m_c_UMin(m_Deferred(found.one), m_Deferred(found.other)))))
    return found;
  llvm::CmpPredicate predicate;
  const auto difference = m_Sub(m_Deferred(found.one), m_Deferred(found.other));
  const auto reversed = m_Sub(m_Deferred(found.other), m_Deferred(found.one));
  const auto compared = m_ICmp(predicate, m_Value(found.one), m_Value(found.other));
  const bool takes_difference = match(&each, m_Select(compared, difference, reversed));
  if (!takes_difference && !match(&each, m_Select(compared, reversed, difference))) return std::nullopt;
  if (!llvm::ICmpInst::isUnsigned(predicate)) return std::nullopt;
  const bool asks_for_greater = llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate);
  found.is_negative = takes_difference != asks_for_greater;
  return found;
}

// Which of the operands is the greater one in a lane, if that is known: true for the first.
std::optional<bool> order(const Operands& of, unsigned lane, const llvm::DataLayout& layout) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(of.one->getType());
  const llvm::APInt lanes =
      vector ? llvm::APInt::getOneBitSet(vector->getNumElements(), lane) : llvm::APInt(1, 1);
  const llvm::KnownBits one = llvm::computeKnownBits(of.one, lanes, layout),
                        other = llvm::computeKnownBits(of.other, lanes, layout);
  if (one.getMinValue().uge(other.getMaxValue())) return true;
  if (other.getMinValue().uge(one.getMaxValue())) return false;
  return std::nullopt;
}

llvm::Value* settled_lane(llvm::IRBuilder<>& builder, const Operands& of, bool first_is_greater,
                          unsigned lane) {
  const auto element = [&](llvm::Value* value) {
    return value->getType()->isVectorTy() ? builder.CreateExtractElement(value, lane) : value;
  };
  llvm::Value *one = element(of.one), *other = element(of.other);
  return first_is_greater != of.is_negative ? builder.CreateSub(one, other) : builder.CreateSub(other, one);
}

void settle(llvm::Instruction& difference, const Operands& of) {
  llvm::IRBuilder<> builder(difference.getParent(), std::next(difference.getIterator()));
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(difference.getType());
  llvm::Value* result = &difference;
  llvm::SmallVector<llvm::Value*> made;
  for (unsigned lane = 0; lane < (vector ? vector->getNumElements() : 1); ++lane) {
    const auto greater = order(of, lane, difference.getDataLayout());
    if (!greater) continue;
    llvm::Value* value = settled_lane(builder, of, *greater, lane);
    result = vector ? builder.CreateInsertElement(result, value, lane) : value;
    made.push_back(result);
  }
  if (made.empty()) return;
  difference.replaceUsesWithIf(
      result, [&](const llvm::Use& use) { return !llvm::is_contained(made, use.getUser()); });
}

}  // namespace

llvm::PreservedAnalyses LlvmUnsignedAbsDiff::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<std::pair<llvm::Instruction*, Operands>> all;
  for (llvm::Instruction& each : llvm::instructions(function))
    if (const auto operands = operands_of(each)) all.emplace_back(&each, *operands);
  for (const auto& [difference, operands] : all) settle(*difference, operands);
  return all.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
