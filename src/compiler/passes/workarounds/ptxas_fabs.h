// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// ptxas 13.0, for every chip since Turing, takes the constant -0.0f for a number without a sign, and drops the absolute value of what is
// selected from it and other such numbers, or is their product, sum, minimum or maximum. The sign is removed by an integer operation then:
//
//   %x = select i1 %c, float %y, float -0.0
//   %r = call float @llvm.fabs.f32(float %x)    →  %r = bitcast (asm "and.b32 $0, $1, 2147483647;" (bitcast %x to i32)) to float
//
// Does nothing if no such constant is among what the operand is computed from, to other types, and where the sign of zero is insignificant
// (nsz). The other numbers are not looked at: ptxas knows of most numbers that they have no sign if they have none.
//
// To go when Language.MagnitudesOfNegativeZero (tests/kernels/language.cpp) passes on a GPU without it.
struct PtxasFabs : llvm::PassInfoMixin<PtxasFabs> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
