// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/propagate_denormal_mode.h"

#include <llvm/IR/Module.h>

#include "compiler/passes/denormal_mode.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses PropagateDenormalMode::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  if (!flushes_denormals(module)) return llvm::PreservedAnalyses::all();
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !has_denormal_mode(function)) set_denormal_mode(function, true);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
