// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Makes the bodies of kernels visible to the optimiser. Clang puts a kernel's body into a noinline function, __clang_ocl_kern_imp_…, so
// that other kernels can call it; here that function becomes alwaysinline, and all functions but kernels become internal. Does nothing to
// declarations.
//
//   define void @__clang_ocl_kern_imp_k(ptr %p) noinline  →  define internal void @__clang_ocl_kern_imp_k(ptr %p) alwaysinline
struct ExposeKernelBodies : llvm::PassInfoMixin<ExposeKernelBodies> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
