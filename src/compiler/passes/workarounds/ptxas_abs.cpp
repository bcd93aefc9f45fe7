// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/ptxas_abs.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

// x of |x|, or of lanes of it.
llvm::Value* number_of(llvm::Value* magnitude, llvm::IRBuilder<>& builder) {
  llvm::Value *number = nullptr, *other = nullptr, *lane = nullptr;
  llvm::ArrayRef<int> lanes;
  const auto or_nothing = [&](llvm::Value* value) {
    return llvm::isa<llvm::UndefValue>(value) ? value : number_of(value, builder);
  };
  if (match(magnitude, m_Intrinsic<llvm::Intrinsic::abs>(m_Value(number)))) return number;
  if (match(magnitude, m_ExtractElt(m_Value(number), m_Value(lane)))) {
    number = number_of(number, builder);
    return number ? builder.CreateExtractElement(number, lane) : nullptr;
  }
  if (match(magnitude, m_InsertElt(m_Value(other), m_Value(number), m_Value(lane)))) {
    other = or_nothing(other);
    number = number_of(number, builder);
    return other && number ? builder.CreateInsertElement(other, number, lane) : nullptr;
  }
  if (match(magnitude, m_Shuffle(m_Value(number), m_Value(other), m_Mask(lanes)))) {
    number = or_nothing(number);
    other = or_nothing(other);
    return number && other ? builder.CreateShuffleVector(number, other, lanes) : nullptr;
  }
  return nullptr;
}

// What the library converts with another rounding than the usual one.
bool is_rounded_conversion(const llvm::Instruction& each) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&each);
  return call && call->arg_size() == 1 && call->doesNotAccessMemory() &&
         call->getType()->isFPOrFPVectorTy() && call->getArgOperand(0)->getType()->isIntOrIntVectorTy();
}

// |x| < 0 and |x| >= 0: x is the least number, or is not.
llvm::Value* comparison(llvm::Instruction& each) {
  llvm::CmpPredicate predicate;
  llvm::Value* magnitude = nullptr;
  const llvm::APInt* bound = nullptr;
  if (!match(&each, m_ICmp(predicate, m_Value(magnitude), m_APInt(bound)))) return nullptr;
  const bool is_below = (predicate == llvm::CmpInst::ICMP_SLT && bound->isZero()) ||
                        (predicate == llvm::CmpInst::ICMP_SLE && bound->isAllOnes());
  const bool is_above = (predicate == llvm::CmpInst::ICMP_SGE && bound->isZero()) ||
                        (predicate == llvm::CmpInst::ICMP_SGT && bound->isAllOnes());
  if (!is_below && !is_above) return nullptr;
  llvm::IRBuilder<> builder(&each);
  llvm::Value* number = number_of(magnitude, builder);
  if (!number) return nullptr;
  llvm::Constant* least =
      llvm::ConstantInt::get(number->getType(), llvm::APInt::getSignedMinValue(bound->getBitWidth()));
  return is_below ? builder.CreateICmpEQ(number, least) : builder.CreateICmpNE(number, least);
}

llvm::Value* replacement(llvm::Instruction& each) {
  if (llvm::Value* compared = comparison(each)) return compared;
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

bool is_least(const llvm::Instruction& each) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&each);
  return call && call->getIntrinsicID() == llvm::Intrinsic::smin;
}

// |x| by another name.
llvm::Value* same_magnitude(llvm::IRBuilder<>& builder, llvm::Value* number) {
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, number, builder.CreateNeg(number));
}

void keep_operand(llvm::Instruction& each) {
  if (each.getOpcode() != llvm::Instruction::SRem && !is_rounded_conversion(each) && !is_least(each)) return;
  llvm::IRBuilder<> builder(&each);
  if (llvm::Value* number = number_of(each.getOperand(0), builder))
    each.setOperand(0, same_magnitude(builder, number));
}

// Choices between x and -x by its sign, of which the back end makes |x| later.
void name_magnitudes(llvm::Function& function) {
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!llvm::isa<llvm::SelectInst>(each) || !each.getType()->isIntOrIntVectorTy()) continue;
    llvm::Value *number = nullptr, *opposite = nullptr;
    const llvm::SelectPatternFlavor flavor = llvm::matchSelectPattern(&each, number, opposite).Flavor;
    if (flavor != llvm::SPF_ABS && flavor != llvm::SPF_NABS) continue;
    llvm::IRBuilder<> builder(&each);
    llvm::Value* named =
        flavor == llvm::SPF_ABS
            ? builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, number, builder.getFalse())
            : builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, number, builder.CreateNeg(number));
    each.replaceAllUsesWith(named);
    each.eraseFromParent();
  }
}

// Where control flow meets, too, ptxas takes what is |x| on one way for a number that is not below 0. A block that comes several times to a
// phi brings the same.
void keep_incoming(llvm::PHINode& phi) {
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const auto first = static_cast<unsigned>(phi.getBasicBlockIndex(phi.getIncomingBlock(i)));
    llvm::IRBuilder<> builder(phi.getIncomingBlock(i)->getTerminator());
    if (first < i)
      phi.setIncomingValue(i, phi.getIncomingValue(first));
    else if (llvm::Value* number = number_of(phi.getIncomingValue(i), builder))
      phi.setIncomingValue(i, same_magnitude(builder, number));
  }
}

}  // namespace

llvm::PreservedAnalyses PtxasAbs::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  name_magnitudes(function);
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&each)) {
      keep_incoming(*phi);
    } else if (llvm::Value* value = replacement(each)) {
      each.replaceAllUsesWith(value);
      each.eraseFromParent();
    } else {
      keep_operand(each);
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
