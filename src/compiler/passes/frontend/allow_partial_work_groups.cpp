// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/allow_partial_work_groups.h"

#include <llvm/IR/Module.h>

namespace clcuda::compiler {

llvm::PreservedAnalyses AllowPartialWorkGroups::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager&) const {
  constexpr char kAttribute[] = "uniform-work-group-size";
  if (!options_.standard.starts_with("CLC++") || options_.uniform_work_group_size)
    return llvm::PreservedAnalyses::all();
  for (llvm::Function& function : module)
    if (function.hasFnAttribute(kAttribute)) function.addFnAttr(kAttribute, "false");
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
