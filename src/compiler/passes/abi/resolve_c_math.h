// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Clang's builtins for C's math functions that LLVM has no intrinsic for, as __builtin_hypotf, are calls of
// C's functions, hypotf: they become calls of OpenCL C's of the same meaning. Does nothing to functions of
// such names that the program defines, or declares with other types.
struct ResolveCMath : llvm::PassInfoMixin<ResolveCMath> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
