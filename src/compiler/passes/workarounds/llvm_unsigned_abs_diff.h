// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22: a difference without sign of unsigned numbers, of which it finds only in the end that one is the
// greater, as in some lanes of a vector, is taken for the absolute value of a number with a sign. Where known
// bits show the order, the difference is computed plainly, lane by lane. Does nothing where the order is not
// known.
//
// To go when Language.NegativeDifferencesOfLanesWhoseOrderIsKnown (tests/kernels/language.cpp) passes without
// it.
struct LlvmUnsignedAbsDiff : llvm::PassInfoMixin<LlvmUnsignedAbsDiff> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
