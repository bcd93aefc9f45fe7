// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/relax_division.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

#include "compiler/passes/denormal_mode.h"

namespace clcuda::compiler {
namespace {

constexpr float kDivFullError = 2.0f;  // ulp, over the full range
constexpr float kRcpApproxError = 1.0f;

using Scalar = llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&, llvm::Value*, llvm::Value*)>;

llvm::Value* divide(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* y, Scalar scalar) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!vector) return scalar(builder, x, y);
  llvm::Value* result = llvm::PoisonValue::get(x->getType());
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::Value* quotient =
        divide(builder, builder.CreateExtractElement(x, i), builder.CreateExtractElement(y, i), scalar);
    result = builder.CreateInsertElement(result, quotient, i);
  }
  return result;
}

// Correctly rounded: an approximate quotient in single precision, and a correction step that reduces its error to half an ulp. That is less
// than the distance of any quotient of halves from the middle between two halves (2^-23). Where the step yields NaN (for infinity) or loses
// the sign of zero, the quotient itself is taken.
llvm::Value* divide_halves(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* y) {
  llvm::Type* single = builder.getFloatTy();
  llvm::Value *dividend = builder.CreateFPExt(x, single), *divisor = builder.CreateFPExt(y, single);
  llvm::Value* inverse = builder.CreateIntrinsic(single, llvm::Intrinsic::nvvm_rcp_approx_ftz_f, {divisor});
  llvm::Value* quotient = builder.CreateFMul(dividend, inverse);
  const auto fma = [&](llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return builder.CreateIntrinsic(single, llvm::Intrinsic::fma, {a, b, c});
  };
  llvm::Value* rest = fma(builder.CreateFNeg(divisor), quotient, dividend);
  llvm::Value* nearer = fma(rest, inverse, quotient);
  llvm::Value* is_nearer = builder.CreateFCmpONE(nearer, llvm::ConstantFP::get(single, 0.0));
  return builder.CreateFPTrunc(builder.CreateSelect(is_nearer, nearer, quotient), x->getType());
}

bool is_one(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value);
  return constant && constant->isExactlyValue(1.0);
}

// NVPTX emits rcp.approx for it, which takes three instructions fewer than div.full.
llvm::Value* reciprocal(llvm::IRBuilder<>& builder, llvm::Value* one, llvm::Value* y) {
  static_assert(kRcpApproxError <= kDivisionBound);
  llvm::FastMathFlags approximate;
  approximate.setApproxFunc();
  return builder.CreateFDivFMF(one, y, approximate);
}

bool is_division(const llvm::Instruction& instruction) {
  return instruction.getOpcode() == llvm::Instruction::FDiv;
}

bool is_of_halves(const llvm::Instruction& instruction) {
  return is_division(instruction) && instruction.getType()->getScalarType()->isHalfTy();
}

bool may_relax(const llvm::Instruction& instruction) {
  if (!is_division(instruction) || !instruction.getType()->getScalarType()->isFloatTy()) return false;
  static_assert(kDivFullError <= kDivisionBound);
  return llvm::cast<llvm::FPMathOperator>(instruction).getFPAccuracy() >= kDivisionBound;
}

// With unsafe math optimizations, the error bound applies to operands between 2^-62 and 2^62 only; that of div.approx holds up to 2^126.
llvm::Intrinsic::ID division_of(const llvm::Instruction& instruction) {
  const bool flushes = flushes_denormals(*instruction.getFunction());
  if (instruction.hasApproxFunc())
    return flushes ? llvm::Intrinsic::nvvm_div_approx_ftz_f : llvm::Intrinsic::nvvm_div_approx_f;
  return flushes ? llvm::Intrinsic::nvvm_div_full_ftz : llvm::Intrinsic::nvvm_div_full;
}

}  // namespace

llvm::PreservedAnalyses RelaxDivision::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const bool of_halves = is_of_halves(instruction);
    if (!of_halves && !may_relax(instruction)) continue;
    const auto divide_singles = [how = division_of(instruction)](llvm::IRBuilder<>& builder, llvm::Value* x,
                                                                 llvm::Value* y) -> llvm::Value* {
      if (is_one(x)) return reciprocal(builder, x, y);
      return builder.CreateIntrinsic(builder.getFloatTy(), how, {x, y});
    };
    llvm::IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(divide(builder, instruction.getOperand(0), instruction.getOperand(1),
                                          of_halves ? Scalar(divide_halves) : Scalar(divide_singles)));
    instruction.eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
