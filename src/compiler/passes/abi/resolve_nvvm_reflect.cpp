// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/resolve_nvvm_reflect.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/passes/denormal_mode.h"
#include "compiler/target.h"

namespace clcuda::compiler {
namespace {

int answer(llvm::StringRef question, bool flushes, const Target& target) {
  if (question == "__CUDA_FTZ") return flushes;
  if (question == "__CUDA_ARCH") return architecture_of(target) * 10;
  if (question == "__CUDA_PREC_DIV" || question == "__CUDA_PREC_SQRT") return 1;
  return 0;
}

}  // namespace

llvm::PreservedAnalyses ResolveNvvmReflect::run(llvm::Module& module, llvm::ModuleAnalysisManager&) const {
  const bool flushes = flushes_denormals(module);
  for (const char* name : {"__nvvm_reflect", "llvm.nvvm.reflect"}) {
    llvm::Function* reflect = module.getFunction(name);
    if (!reflect) continue;
    for (llvm::User* user : llvm::make_early_inc_range(reflect->users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call) continue;
      llvm::StringRef question;
      llvm::getConstantStringInfo(call->getArgOperand(0)->stripPointerCasts(), question);
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), answer(question, flushes, target_)));
      call->eraseFromParent();
    }
    if (reflect->use_empty()) reflect->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
