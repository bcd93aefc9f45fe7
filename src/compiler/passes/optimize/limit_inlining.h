// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Calls that would make a function, or the program, larger than what can be optimised in an acceptable time
// stay calls: LLVM looks at each call by itself. Does nothing in programs of usual size.
struct LimitInlining : llvm::PassInfoMixin<LimitInlining> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
