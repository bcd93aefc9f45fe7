// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// ptxas 13.0, for every chip since Turing, assumes that |x| is not negative, although that of the least integer is, and that -|x| is less
// than any constant. It assumes nothing of max(x, -x), which is the same value:
//
//   %m = call i32 @llvm.abs.i32(i32 %x, i1 false)    →  %n = sub i32 0, %x;  %m = call i32 @llvm.smax.i32(i32 %x, i32 %n)
//
// Does nothing to |x| of an x that is known not to be the least integer, unless it is negated: it stays one instruction.
//
// To go when Magnitudes.* (tests/kernels/magnitudes.cpp), and OppositeNumbers.* and Language.MagnitudesOfOneWay
// (tests/kernels/language.cpp) pass on a GPU without it.
struct PtxasAbs : llvm::PassInfoMixin<PtxasAbs> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
