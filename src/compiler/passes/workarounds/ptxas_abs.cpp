// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/ptxas_abs.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

// |x| or -|x|: the intrinsic, or a select between x and -x by x's sign, which the back end turns into |x|.
struct Magnitude {
  llvm::Value* number = nullptr;
  bool is_negated = false;
  bool may_overflow = false;  // otherwise |x| of the least integer is undefined
};

Magnitude magnitude(llvm::Instruction& instruction) {
  llvm::Value *number = nullptr, *opposite = nullptr;
  const llvm::APInt* undefined = nullptr;
  if (match(&instruction, m_Intrinsic<llvm::Intrinsic::abs>(m_Value(number), m_APInt(undefined))))
    return {number, false, undefined->isZero()};
  if (!llvm::isa<llvm::SelectInst>(instruction) || !instruction.getType()->isIntOrIntVectorTy()) return {};
  const llvm::SelectPatternFlavor flavor = llvm::matchSelectPattern(&instruction, number, opposite).Flavor;
  if (flavor != llvm::SPF_ABS && flavor != llvm::SPF_NABS) return {};
  return {number, flavor == llvm::SPF_NABS, !match(opposite, m_NSWNeg(m_Specific(number)))};
}

// Also true if lanes are extracted from the vector or moved, since they may be negated then.
bool may_be_negated(const llvm::Value& value) {
  return llvm::any_of(value.users(), [](const llvm::User* user) {
    return match(user, m_Neg(m_Value())) ||
           llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(user);
  });
}

class Numbers {
 public:
  Numbers(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : layout_(function.getDataLayout()),
        assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)) {}

  bool may_be_least(llvm::Value* x, const llvm::Instruction& at) const {
    const llvm::APInt least = llvm::APInt::getSignedMinValue(x->getType()->getScalarSizeInBits());
    const llvm::KnownBits bits = llvm::computeKnownBits(x, layout_, &assumptions_, &at, &dominators_);
    return llvm::ConstantRange::fromKnownBits(bits, true).contains(least) &&
           llvm::computeConstantRange(x, true, true, &assumptions_, &at, &dominators_).contains(least) &&
           llvm::ComputeNumSignBits(x, layout_, &assumptions_, &at, &dominators_) == 1;
  }

 private:
  const llvm::DataLayout& layout_;
  llvm::AssumptionCache& assumptions_;
  llvm::DominatorTree& dominators_;
};

}  // namespace

llvm::PreservedAnalyses PtxasAbs::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const Numbers numbers(function, analyses);
  bool changed = false;
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    const Magnitude of = magnitude(each);
    if (!of.number) continue;
    const bool stays = !of.is_negated && !may_be_negated(each) &&
                       !(of.may_overflow && numbers.may_be_least(of.number, each));
    if (stays) continue;
    llvm::IRBuilder<> builder(&each);
    each.replaceAllUsesWith(
        builder.CreateBinaryIntrinsic(of.is_negated ? llvm::Intrinsic::smin : llvm::Intrinsic::smax,
                                      of.number, builder.CreateNeg(of.number)));
    each.eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
