// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Clang puts a kernel's body into a noinline function, __clang_ocl_kern_imp_…, which is inlined into the
// kernel; all functions but kernels become internal. Does nothing to declarations.
struct ExposeKernelBodies : llvm::PassInfoMixin<ExposeKernelBodies> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
