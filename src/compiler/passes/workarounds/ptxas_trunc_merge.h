// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// ptxas 13.0, for every chip since Turing, takes two conversions of 64-bit numbers to 32 bits for the same one if registers are reused and
// only the upper half has been written in between. The operand of a conversion that may share its lower half with another one is combined
// with a zero computed from its upper half, of which ptxas does not know that it is zero:
//
//   %r = sitofp i64 %sum to float    →  %upper = lshr i64 %sum, 32;  %nothing = and i64 %upper, %zero
//                                       %tied = xor i64 %sum, %nothing;  %r = sitofp i64 %tied to float
//
// Does nothing if the lower halves are known to be computed separately.
//
// To go when Language.ConversionsOfWhatAllWorkItemsShare (tests/kernels/language.cpp) passes on a GPU without it.
struct PtxasTruncMerge : llvm::PassInfoMixin<PtxasTruncMerge> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
