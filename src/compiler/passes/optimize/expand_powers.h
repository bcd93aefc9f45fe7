// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// pow and pown of the library with a constant exponent that is a small integer become multiplications: to the fourth power, whose error
// (1.5 ulp) is that of the function itself, and to the sixteenth where approximate functions are allowed (afn). Intermediate products
// overflow or underflow only where the result does. The exponents -1 and, with afn, smaller ones give a reciprocal. (Before the
// library is linked.) Does nothing where the elements of a vector have different exponents, and to negative exponents without afn: a
// reciprocal of what overflows would lose a denormal result.
struct ExpandPowers : llvm::PassInfoMixin<ExpandPowers> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
