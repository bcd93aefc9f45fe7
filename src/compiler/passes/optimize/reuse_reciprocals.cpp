// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/reuse_reciprocals.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <string>
#include <utility>

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned kFewestIterations = 4;

struct Reciprocal {
  llvm::Value* divisor = nullptr;  // 64 bits, frozen
  llvm::Value* narrow = nullptr;   // its lower half
  llvm::Value* upper = nullptr;    // the other
  llvm::Value* factor = nullptr;   // (2^32 - 1) / narrow, and anything for 0
};

// The quotient is null where only the remainder is needed.
struct Results {
  llvm::Value* quotient = nullptr;
  llvm::Value* remainder = nullptr;
};

bool is_signed(const llvm::BinaryOperator& division) {
  return division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
}

bool is_remainder(const llvm::BinaryOperator& division) {
  return division.getOpcode() == llvm::Instruction::URem || division.getOpcode() == llvm::Instruction::SRem;
}

bool is_always_long(const llvm::Value* value, const llvm::DataLayout& layout) {
  return llvm::computeKnownBits(value, layout).countMaxLeadingZeros() < 32;
}

bool is_always_short(const llvm::Value* value, const llvm::DataLayout& layout) {
  return llvm::computeKnownBits(value, layout).countMinLeadingZeros() >= 32;
}

llvm::Value* upper_half(llvm::Value* value, llvm::IRBuilder<>& builder) {
  return builder.CreateTrunc(builder.CreateLShr(value, 32), builder.getInt32Ty());
}

// x - x / n * n, which LLVM makes of a remainder beside a quotient.
llvm::SmallVector<llvm::Instruction*> remainders_beside(llvm::BinaryOperator& quotient) {
  llvm::SmallVector<llvm::Instruction*> found;
  for (llvm::User* product : quotient.users())
    if (match(product, m_c_Mul(m_Specific(&quotient), m_Specific(quotient.getOperand(1)))))
      for (llvm::User* difference : product->users())
        if (match(difference, m_Sub(m_Specific(quotient.getOperand(0)), m_Specific(product))))
          found.push_back(llvm::cast<llvm::Instruction>(difference));
  return found;
}

// The quotient that is estimated with the reciprocal, which is less than (2^32 - 1) / n by less than 1, is too small by less than
// x / 2^32: it is the right one or 1 less.
Results divide_lower_halves(llvm::Value* dividend, const Reciprocal& reciprocal, llvm::IRBuilder<>& builder) {
  llvm::Value* narrow = builder.CreateTrunc(dividend, builder.getInt32Ty());
  llvm::Value* estimate = builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_mulhi_ui,
                                                  {narrow, reciprocal.factor});
  llvm::Value* rest = builder.CreateSub(narrow, builder.CreateMul(estimate, reciprocal.narrow));
  llvm::Value* is_less = builder.CreateICmpUGE(rest, reciprocal.narrow);
  llvm::Value* quotient =
      builder.CreateSelect(is_less, builder.CreateAdd(estimate, builder.getInt32(1)), estimate);
  llvm::Value* remainder = builder.CreateSelect(is_less, builder.CreateSub(rest, reciprocal.narrow), rest);
  return {builder.CreateZExt(quotient, dividend->getType()),
          builder.CreateZExt(remainder, dividend->getType())};
}

// Inline assembly: LLVM would branch around a division once more.
Results divide_whole(llvm::BinaryOperator& division, llvm::Value* divisor, llvm::IRBuilder<>& builder) {
  llvm::Value* dividend = division.getOperand(0);
  llvm::Type* type = division.getType();
  const auto result_of = [&](llvm::StringRef instruction) {
    const std::string text = (instruction + (is_signed(division) ? ".s64" : ".u64") + " $0, $1, $2;").str();
    auto* signature = llvm::FunctionType::get(type, {type, type}, false);
    return builder.CreateCall(llvm::InlineAsm::get(signature, text, "=l,l,l", false), {dividend, divisor});
  };
  if (is_remainder(division)) return {nullptr, result_of("rem")};
  llvm::Value* quotient = result_of("div");
  return {quotient, builder.CreateSub(dividend, builder.CreateMul(quotient, divisor))};
}

// Where the dividend takes 32 bits and only the divisor may take more.
Results divide_short(llvm::Value* dividend, const Reciprocal& reciprocal, llvm::IRBuilder<>& builder) {
  const Results narrow = divide_lower_halves(dividend, reciprocal, builder);
  llvm::Value* is_short = builder.CreateIsNull(reciprocal.upper);
  return {builder.CreateSelect(is_short, narrow.quotient, builder.getInt64(0)),
          builder.CreateSelect(is_short, narrow.remainder, dividend)};
}

Results divide(llvm::BinaryOperator& division, llvm::Value* dividend, const Reciprocal& reciprocal) {
  llvm::IRBuilder<> builder(&division);
  const Results narrow = divide_lower_halves(dividend, reciprocal, builder);
  llvm::Value* upper = builder.CreateOr(upper_half(dividend, builder), reciprocal.upper);
  llvm::BasicBlock* head = division.getParent();
  llvm::Instruction* end_of_long =
      llvm::SplitBlockAndInsertIfThen(builder.CreateIsNotNull(upper), &division, false,
                                      llvm::MDBuilder(division.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(end_of_long);
  const Results whole = divide_whole(division, reciprocal.divisor, builder);

  builder.SetInsertPoint(&division);
  const auto either = [&](llvm::Value* one, llvm::Value* other) -> llvm::Value* {
    if (!other) return nullptr;
    llvm::PHINode* result = builder.CreatePHI(division.getType(), 2);
    result->addIncoming(one, head);
    result->addIncoming(other, end_of_long->getParent());
    return result;
  };
  return {either(narrow.quotient, whole.quotient), either(narrow.remainder, whole.remainder)};
}

using Handles = llvm::SmallVector<llvm::WeakTrackingVH>;

// Adds what may have no use now to `maybe_unused`: it may still be an operand of another division that is to be replaced.
void replace(llvm::BinaryOperator& division, const Reciprocal& reciprocal, Handles& maybe_unused) {
  llvm::IRBuilder<> builder(&division);
  llvm::Value* dividend = division.getOperand(0);
  const bool is_short = !is_signed(division) && is_always_short(dividend, division.getDataLayout());
  if (!llvm::isGuaranteedNotToBeUndefOrPoison(dividend)) dividend = builder.CreateFreeze(dividend);
  const Results results =
      is_short ? divide_short(dividend, reciprocal, builder) : divide(division, dividend, reciprocal);
  maybe_unused.append({results.quotient, results.remainder});
  if (!is_remainder(division))
    for (llvm::Instruction* other : remainders_beside(division)) {
      other->replaceAllUsesWith(results.remainder);
      maybe_unused.emplace_back(other);
    }
  division.replaceAllUsesWith(is_remainder(division) ? results.remainder : results.quotient);
  division.eraseFromParent();
}

class Reciprocals {
 public:
  Reciprocals(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : layout_(function.getDataLayout()),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)) {}

  // Null if the division is to stay as it is.
  const Reciprocal* find_or_make(llvm::BinaryOperator& division) {
    const llvm::Loop* loop = loop_around(division);
    if (!loop) return nullptr;
    Reciprocal& found = reciprocals_[{division.getOperand(1), loop}];
    if (!found.divisor) found = make(division.getOperand(1), *loop);
    return &found;
  }

 private:
  // The outermost loop that does not change the divisor.
  const llvm::Loop* loop_around(llvm::BinaryOperator& division) const {
    llvm::Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
    if (!division.isIntDivRem() || !division.getType()->isIntegerTy(64) ||
        llvm::isa<llvm::Constant>(divisor) || is_always_long(dividend, layout_) ||
        is_always_long(divisor, layout_))
      return nullptr;
    const llvm::Loop* found = nullptr;
    for (const llvm::Loop* loop = loops_.getLoopFor(division.getParent());
         loop && loop->isLoopInvariant(divisor); loop = loop->getParentLoop())
      if (loop->getLoopPreheader() && runs_often(*loop)) found = loop;
    return found;
  }

  bool runs_often(const llvm::Loop& loop) const {
    const unsigned iterations = evolution_.getSmallConstantMaxTripCount(&loop);
    return iterations == 0 || iterations >= kFewestIterations;
  }

  static Reciprocal make(llvm::Value* divisor, const llvm::Loop& loop) {
    llvm::IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    divisor = builder.CreateFreeze(divisor);
    llvm::Value* narrow = builder.CreateTrunc(divisor, builder.getInt32Ty());
    llvm::Value* not_zero = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, narrow, builder.getInt32(1));
    llvm::Value* factor = builder.CreateUDiv(builder.getInt32(~0U), not_zero);
    return {divisor, narrow, upper_half(divisor, builder), factor};
  }

  const llvm::DataLayout& layout_;
  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  std::map<std::pair<llvm::Value*, const llvm::Loop*>, Reciprocal> reciprocals_;
};

}  // namespace

llvm::PreservedAnalyses ReuseReciprocals::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  Reciprocals reciprocals(function, analyses);
  llvm::SmallVector<std::pair<llvm::BinaryOperator*, const Reciprocal*>> divisions;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* division = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
      if (const Reciprocal* reciprocal = reciprocals.find_or_make(*division))
        divisions.emplace_back(division, reciprocal);
  // The last of a block first: what is behind a division moves to another block.
  Handles maybe_unused;
  for (const auto& [division, reciprocal] : llvm::reverse(divisions))
    replace(*division, *reciprocal, maybe_unused);
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(maybe_unused);
  return divisions.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
