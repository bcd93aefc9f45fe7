// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// ptxas 13.0, in the greatest of three numbers with a sign, which is one instruction of Hopper and of
// data-centre Blackwell, forgets the sign of the second. Of the operands of a minimum or a maximum of 32-bit
// numbers, -x comes first. (After PtxasAbs, which makes some.) Does nothing to operands that are no
// negations, and to unsigned numbers.
//
// To go when OppositeNumbers.OfInts (tests/kernels/language.cpp) passes on a Hopper GPU without it.
struct PtxasNegatedMinmax : llvm::PassInfoMixin<PtxasNegatedMinmax> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
