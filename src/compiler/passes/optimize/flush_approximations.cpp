// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/flush_approximations.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "compiler/passes/denormal_mode.h"

namespace clcuda::compiler {
namespace {

llvm::Intrinsic::ID flushing(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::nvvm_ex2_approx:
      return llvm::Intrinsic::nvvm_ex2_approx_ftz;
    case llvm::Intrinsic::nvvm_lg2_approx_f:
      return llvm::Intrinsic::nvvm_lg2_approx_ftz_f;
    case llvm::Intrinsic::nvvm_sin_approx_f:
      return llvm::Intrinsic::nvvm_sin_approx_ftz_f;
    case llvm::Intrinsic::nvvm_cos_approx_f:
      return llvm::Intrinsic::nvvm_cos_approx_ftz_f;
    case llvm::Intrinsic::nvvm_div_approx_f:
      return llvm::Intrinsic::nvvm_div_approx_ftz_f;
    case llvm::Intrinsic::nvvm_sqrt_approx_f:
      return llvm::Intrinsic::nvvm_sqrt_approx_ftz_f;
    case llvm::Intrinsic::nvvm_rsqrt_approx_f:
      return llvm::Intrinsic::nvvm_rsqrt_approx_ftz_f;
    default:
      return llvm::Intrinsic::not_intrinsic;
  }
}

}  // namespace

llvm::PreservedAnalyses FlushApproximations::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!flushes_denormals(function)) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    const auto id = call && call->getType()->isFloatTy() ? flushing(call->getIntrinsicID())
                                                         : llvm::Intrinsic::not_intrinsic;
    if (id == llvm::Intrinsic::not_intrinsic) continue;
    const llvm::SmallVector<llvm::Value*, 2> arguments(call->args());
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateIntrinsic(call->getType(), id, arguments));
    call->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
