// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Declares __clcuda_run_tasks, the library's kernel that runs enqueued tasks, and names it in llvm.used, so that linking the library
// brings it in: no code of the program calls it. Runs before the library is linked. Does nothing in programs that do not call
// enqueue_kernel or its like.
//
//   @llvm.used = appending global [1 x ptr] [ptr @__clcuda_run_tasks], section "llvm.metadata"
//   declare void @__clcuda_run_tasks(ptr addrspace(1))
struct DeclareTaskScheduler : llvm::PassInfoMixin<DeclareTaskScheduler> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
