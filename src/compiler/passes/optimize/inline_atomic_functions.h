// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// An atomic function of the library is a choice among up to forty-five instructions, by order, scope and
// address space. Where a call says which order and scope, it is inlined at once, so that the other ones never
// reach the optimiser. Does nothing to calls whose last argument is no constant.
struct InlineAtomicFunctions : llvm::PassInfoMixin<InlineAtomicFunctions> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
