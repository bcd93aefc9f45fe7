// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// ptxas 13.0, for every chip since Turing, takes two conversions of 64-bit numbers to 32 bits for one and the
// same where registers are used again and only the upper half was written in between. Conversions that may
// have the lower half in common with another are told apart by it: the upper half seems to go into the lower
// one. Does nothing where lower halves are seen to be made separately.
//
// To go when Language.ConversionsOfWhatAllWorkItemsShare (tests/kernels/language.cpp) passes on a GPU without
// it.
struct PtxasTruncMerge : llvm::PassInfoMixin<PtxasTruncMerge> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
