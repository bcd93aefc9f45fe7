// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Single-precision math functions in the accuracy of -cl-unsafe-math-optimizations (OpenCL C §7.4, ULP values with unsafe math
// optimizations): calls with the flag afn, which Clang sets with that option and -cl-fast-relaxed-math, go to the approximate functions of
// the library (native_…, builtins/math_relaxed.cl) wherever their error is within that table. (Before the library is linked.) Does nothing
// to calls without the flag, of other types, and of functions of the program's own.
struct RelaxMathFunctions : llvm::PassInfoMixin<RelaxMathFunctions> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
