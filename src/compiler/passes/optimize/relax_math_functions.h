// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// With -cl-unsafe-math-optimizations or -cl-fast-relaxed-math, calls of single-precision math functions, to which Clang gives the flag
// afn, use approximate functions of the library (native_…, builtins/math_relaxed.cl) wherever their error is within the table of OpenCL C
// §7.4 for unsafe math optimizations:
//
//   call afn float @_Z3cosf(float %x)    →  call afn float @_Z10native_cosf(float %x)
//
// Runs before the library is linked, as the flag is at calls of its functions. Does nothing to calls without the flag, of other types, and
// of functions of the program.
struct RelaxMathFunctions : llvm::PassInfoMixin<RelaxMathFunctions> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
