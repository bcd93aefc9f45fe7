// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Has the library's kernel that runs enqueued tasks linked in. (Before the library is linked.) Does nothing
// in programs that do not enqueue.
struct DeclareTaskScheduler : llvm::PassInfoMixin<DeclareTaskScheduler> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
