// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Arguments of kernels that point to `local` become offsets of 32 bits into dynamic shared memory. Does
// nothing to kernels without such arguments, and to functions that are no kernels.
struct LowerLocalArguments : llvm::PassInfoMixin<LowerLocalArguments> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
