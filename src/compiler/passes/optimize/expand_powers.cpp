// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/expand_powers.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstdint>
#include <cstdlib>
#include <optional>

#include "compiler/passes/mangled_name.h"
#include "compiler/passes/optimize/relax_division.h"

namespace clcuda::compiler {
namespace {

constexpr std::int64_t kMostPrecise = 4, kMostRelaxed = 16;

// The exponent, if it is a constant integer that is the same in all lanes.
std::optional<std::int64_t> integer_exponent(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant) return std::nullopt;
  if (constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  if (const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant))
    return integer->getSExtValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  if (!number) return std::nullopt;
  llvm::APSInt integer(64, /*isUnsigned=*/false);
  bool is_exact = false;
  number->getValueAPF().convertToInteger(integer, llvm::APFloat::rmTowardZero, &is_exact);
  if (!is_exact) return std::nullopt;
  return integer.getSExtValue();
}

bool may_expand(std::int64_t exponent, bool relaxed) {
  if (relaxed) return std::llabs(exponent) <= kMostRelaxed;
  return exponent >= -1 && exponent <= kMostPrecise;
}

// By repeated squaring.
llvm::Value* power(llvm::IRBuilder<>& builder, llvm::Value* x, std::int64_t exponent) {
  llvm::Value* result = nullptr;
  for (llvm::Value* square = x; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = result ? builder.CreateFMul(result, square) : square;
    if (exponent > 1) square = builder.CreateFMul(square, square);
  }
  return result ? result : llvm::ConstantFP::get(x->getType(), 1.0);
}

void expand(llvm::CallInst& call, std::int64_t exponent) {
  llvm::IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  llvm::Value* result = power(builder, call.getArgOperand(0), std::llabs(exponent));
  if (exponent < 0) {
    result = builder.CreateFDiv(llvm::ConstantFP::get(result->getType(), 1.0), result);
    auto* division = llvm::dyn_cast<llvm::Instruction>(result);
    if (division && result->getType()->getScalarType()->isFloatTy())
      division->setMetadata(llvm::LLVMContext::MD_fpmath,
                            llvm::MDBuilder(call.getContext()).createFPMath(kDivisionBound));
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses ExpandPowers::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    const std::optional<MangledName> name = split_mangled(function.getName());
    if (!function.isDeclaration() || !name || (name->name != "pow" && name->name != "pown") ||
        !function.getReturnType()->isFPOrFPVectorTy())
      continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledOperand() != &function || call->arg_size() != 2) continue;
      const std::optional<std::int64_t> exponent = integer_exponent(call->getArgOperand(1));
      if (exponent && may_expand(*exponent, call->hasApproxFunc())) expand(*call, *exponent);
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
