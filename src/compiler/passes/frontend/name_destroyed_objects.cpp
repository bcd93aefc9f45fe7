// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/name_destroyed_objects.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clcuda::compiler {

llvm::PreservedAnalyses NameDestroyedObjects::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  constexpr llvm::StringRef kDestroyingPrefix = "__dtor_";
  bool changed = false;
  for (llvm::Function& function : module) {
    llvm::StringRef object = function.getName();
    if (function.isDeclaration() || !object.consume_front(kDestroyingPrefix)) continue;
    llvm::GlobalVariable* variable = module.getGlobalVariable(object, /*AllowInternal=*/true);
    if (!variable) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || call->arg_empty() || !llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(0)))
        continue;
      call->setArgOperand(0, llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(
                                 variable, call->getArgOperand(0)->getType()));
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
