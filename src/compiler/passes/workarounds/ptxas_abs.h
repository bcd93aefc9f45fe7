// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// ptxas 13.0, for every chip since Turing, takes |x| for a number that is not below 0, which that of the
// least number is, and -|x| for less than any constant. Of max(x, -x), which is the same number, it takes
// nothing for granted: so is |x| written. Does nothing to |x| of an x that is known not to be the least
// number, unless it is negated: that stays one instruction.
//
// To go when Magnitudes.* (tests/kernels/magnitudes.cpp), and OppositeNumbers.* and
// Language.MagnitudesOfOneWay (tests/kernels/language.cpp) pass on a GPU without it.
struct PtxasAbs : llvm::PassInfoMixin<PtxasAbs> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
