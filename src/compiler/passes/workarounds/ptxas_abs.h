// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// ptxas 13.0, for every chip since Turing, takes |x| for a number below the sign's bit, which the least one's
// is not, and -|x| for less than any constant, right before a negation, a conversion to floating point, a
// remainder, a minimum, a comparison with 0, and where control flow meets. There |x| is written as max(x,
// -x), or folded. Does nothing to |x| before anything else.
//
// To go when OppositeNumbers.* and Language.MagnitudesOfOneWay (tests/kernels/language.cpp) pass on a GPU
// without it.
struct PtxasAbs : llvm::PassInfoMixin<PtxasAbs> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
