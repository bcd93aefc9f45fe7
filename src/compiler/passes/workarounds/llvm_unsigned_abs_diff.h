// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22 miscompiles |a - b| of unsigned numbers if it finds out late which one is the greater, as in some lanes of a vector: it takes
// the difference for the absolute value of a signed number. Where known bits show the order, the difference is computed plainly, lane by
// lane:
//
//   %d = sub i32 umax(%low, %high), umin(%low, %high)    →  %d = sub i32 %high, %low
//
// Does nothing if the order is not known.
//
// To go when Language.NegativeDifferencesOfLanesWhoseOrderIsKnown (tests/kernels/language.cpp) passes without it.
struct LlvmUnsignedAbsDiff : llvm::PassInfoMixin<LlvmUnsignedAbsDiff> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
