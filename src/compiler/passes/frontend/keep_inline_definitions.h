// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Makes `inline` functions of OpenCL C usable without an external definition, which C99 demands and programs rarely have. The inline
// definition becomes the function:
//
//   define available_externally i32 @f(i32 %x)    →  define internal i32 @f(i32 %x)
//
// Does nothing to functions of any other linkage.
struct KeepInlineDefinitions : llvm::PassInfoMixin<KeepInlineDefinitions> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
