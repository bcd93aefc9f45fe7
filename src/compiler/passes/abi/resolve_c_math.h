// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Clang compiles builtins for C's math functions that have no LLVM intrinsic, such as __builtin_hypotf, to calls of C's functions. These
// become calls of the library's functions of the same meaning:
//
//   call float @hypotf(float %x, float %y)    →  call float @_Z5hypotff(float %x, float %y)
//
// Does nothing to functions of such names that the program defines, or declares with other types.
struct ResolveCMath : llvm::PassInfoMixin<ResolveCMath> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
