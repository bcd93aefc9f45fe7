// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Calls of pow and pown with a small constant integer as exponent become multiplications:
//
//   %r = call float @_Z3powff(float %x, float 2.0)    →  %r = fmul float %x, %x
//
// Exponents up to 4, where the error (1.5 ulp) is below that of the function itself, and up to 16 where approximate functions are allowed
// (afn). Intermediate products overflow or underflow only if the result does. The exponent -1, with afn also smaller ones, gives a
// reciprocal. Runs before the library is linked and before RelaxMathFunctions. Does nothing if the elements of a vector have different
// exponents, and to other negative exponents without afn: a reciprocal of an overflowed product would lose a denormal result.
struct ExpandPowers : llvm::PassInfoMixin<ExpandPowers> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
