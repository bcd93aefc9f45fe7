// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Raises the alignment of private variables of 16 bytes and more to 16, so that adjacent elements are loaded and stored by one vector
// instruction. Does nothing to smaller ones and to arrays of variable size.
//
//   %v = alloca [4 x i32], align 4    →  %v = alloca [4 x i32], align 16
struct AlignAllocas : llvm::PassInfoMixin<AlignAllocas> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
