// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Scales the common part of several indices into an array in local memory to bytes once, instead of each index:
//
//   %a = and i32 (%i + 3), 255;  getelementptr float, …, %a    →  %s = shl i32 %i, 2
//   %b = and i32 (%i + 4), 255;  getelementptr float, …, %b       %a = and i32 (%s + 12), 1020;  getelementptr i8, …, %a
//                                                                 %b = and i32 (%s + 16), 1020;  getelementptr i8, …, %b
//
// Such indices occur in ring buffers, as above, and in tiles with permuted columns (i ^ 1). The load adds the byte offset to the base
// itself. Does nothing if only one access would use the scaled value, and to plain sums, whose constant is part of the address already.
// Runs at the end of the optimisation, which would undo it.
struct ScaleLocalIndices : llvm::PassInfoMixin<ScaleLocalIndices> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
