// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// The back end stores the lower part of a register by a narrower st, such as st.b32 of a 64-bit register. If a floating-point instruction
// has written that register, ptxas 13.0 compiles the store as a conversion to an integer. The bits of a floating-point value that are
// stored in parts are moved by inline PTX first:
//
//   store double %x, ptr %p, align 4    →  %m = call i64 asm "mov.b64 $0, $1;", "=l,l"(i64 bits of %x);  store i64 %m, ptr %p, align 4
//
// Likewise for the elements of vectors, such as a double2 whose bits are stored as those of an int4.
//
// Runs after all passes that could undo it. Does nothing to stores of whole values that are aligned, nor to vectors of 16-bit values.
//
// To go when kernels_structures and kernels_random_statements (packed structures, tests/kernels/random) pass on a GPU without it.
struct PtxasFloatBitStore : llvm::PassInfoMixin<PtxasFloatBitStore> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
