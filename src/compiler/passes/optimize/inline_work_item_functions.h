// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Small functions that read ids, and those that call them, are inlined, which brings the reads into the
// kernels, where AnnotateIdRanges knows more about them. Does nothing to functions of more than 128
// instructions, and to those that are not to be inlined.
struct InlineWorkItemFunctions : llvm::PassInfoMixin<InlineWorkItemFunctions> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
