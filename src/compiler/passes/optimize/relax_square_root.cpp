// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/relax_square_root.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "compiler/passes/denormal_mode.h"

namespace clcuda::compiler {
namespace {

constexpr float kLanguageBound =
    3.0f;  // ulp, OpenCL C §7.4: sqrt in single precision; sqrt.approx is within 2

llvm::Value* square_root(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Intrinsic::ID how) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!vector) return builder.CreateIntrinsic(builder.getFloatTy(), how, {x});
  llvm::Value* result = llvm::PoisonValue::get(x->getType());
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    result =
        builder.CreateInsertElement(result, square_root(builder, builder.CreateExtractElement(x, i), how), i);
  }
  return result;
}

}  // namespace

llvm::PreservedAnalyses RelaxSquareRoot::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (const char* name :
       {"_Z4sqrtf", "_Z4sqrtDv2_f", "_Z4sqrtDv3_f", "_Z4sqrtDv4_f", "_Z4sqrtDv8_f", "_Z4sqrtDv16_f"}) {
    llvm::Function* library_function = module.getFunction(name);
    if (!library_function || !library_function->isDeclaration()) continue;
    for (llvm::User* user : llvm::make_early_inc_range(library_function->users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || llvm::cast<llvm::FPMathOperator>(call)->getFPAccuracy() < kLanguageBound) continue;
      const auto how = flushes_denormals(*call->getFunction()) ? llvm::Intrinsic::nvvm_sqrt_approx_ftz_f
                                                               : llvm::Intrinsic::nvvm_sqrt_approx_f;
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(square_root(builder, call->getArgOperand(0), how));
      call->eraseFromParent();
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
