// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// The questions of the library about enqueued kernels (builtins/device_tasks.h) become constants: the bytes of a task's slot, whether the
// work-group size must divide the ND-range, whether enqueue_kernel reports detailed errors, and the address of the kernel that runs tasks.
// They depend on the whole program. Does nothing in programs without such calls.
//
//   %size = call i64 @__clcuda_task_size()    →  i64 512
struct ResolveDeviceEnqueue : llvm::PassInfoMixin<ResolveDeviceEnqueue> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
