// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/free_library_names.h"

#include <llvm/IR/Module.h>

#include "compiler/passes/library_names.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses FreeLibraryNames::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
        !is_library_name(function.getName()))
      continue;
    function.setName(program_name(function.getName()));
    changed = true;
  }
  for (llvm::GlobalAlias& alias : module.aliases()) {
    if (!is_library_name(alias.getName())) continue;
    alias.setName(program_name(alias.getName()));
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
