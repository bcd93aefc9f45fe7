// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// The back end stores the lower part of a register by a narrower st, such as st.b32 of a 64-bit register. If
// a floating-point instruction has written that register, ptxas 13.0 takes the store for a conversion of the
// number to an integer. What is stored of a floating-point value's bits is moved by PTX of its own first.
// (After all that could undo it.) Does nothing to stores of whole numbers that are aligned.
//
// To go when kernels_random_statements (packed structures, tests/kernels/random) passes on a GPU without it.
struct PtxasFloatBitStore : llvm::PassInfoMixin<PtxasFloatBitStore> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
