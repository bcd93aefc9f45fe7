// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Functions that take pointers to private variables are inlined, unless they are very long: what a pointer
// goes to has to lie in memory. Does nothing to calls of other functions, and of those that are not to be
// inlined.
struct RaiseInlineThreshold : llvm::PassInfoMixin<RaiseInlineThreshold> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
