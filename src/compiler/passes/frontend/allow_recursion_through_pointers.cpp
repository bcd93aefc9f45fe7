// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/allow_recursion_through_pointers.h"

#include <llvm/IR/Module.h>

#include "compiler/passes/indirect_calls.h"
#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses AllowRecursionThroughPointers::run(llvm::Module& module,
                                                           llvm::ModuleAnalysisManager&) {
  if (indirect_calls(module).empty()) return llvm::PreservedAnalyses::all();
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !is_kernel(function)) function.removeFnAttr(llvm::Attribute::NoRecurse);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
