// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// In programs that call through pointers, takes away the promise that functions are not called again while they run. OpenCL C forbids
// recursion (section 6.11) and SPIR-V cycles in the static call graph (section 2.16), in which calls through pointers are not.
//
//   define void @f() norecurse    →  define void @f()
//
// Does nothing to kernels, and to programs without such calls.
struct AllowRecursionThroughPointers : llvm::PassInfoMixin<AllowRecursionThroughPointers> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
