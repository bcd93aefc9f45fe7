// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// What builtins/device_tasks.h asks the compiler for becomes constants: the size of a task's slot, whether
// groups must divide the range, whether errors are told in detail, and the kernel that runs tasks. Does
// nothing in programs that do not ask.
struct ResolveDeviceEnqueue : llvm::PassInfoMixin<ResolveDeviceEnqueue> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
