// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/keep_inline_definitions.h"

#include <llvm/IR/Module.h>

namespace clcuda::compiler {

llvm::PreservedAnalyses KeepInlineDefinitions::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : module) {
    if (!function.hasAvailableExternallyLinkage()) continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
