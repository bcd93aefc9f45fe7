// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/resolve_library_imports.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/library_names.h"
#include "compiler/program_error.h"
#include "compiler/readable_name.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses ResolveLibraryImports::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& import : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = import.getName();
    if (!import.isDeclaration() || !name.consume_front(kProgramPrefix)) continue;
    changed = true;
    llvm::Function* known = module.getFunction(name);
    if (!known) {
      import.setName(name.str());
      continue;
    }
    if (known->getFunctionType() != import.getFunctionType())
      throw ProgramError{"error: '" + readable_name(name) + "' is declared with two types"};
    import.replaceAllUsesWith(known);
    import.eraseFromParent();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
