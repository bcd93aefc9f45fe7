// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Undoes a factorisation of integers by LLVM, so that the sum is one multiply-add instruction:
//
//   %x = mul i32 %w, %y                  →  %x = mul i32 %w, %y
//   %s = add i32 %x, %w                     %p = mul i32 %x, %y
//   %r = mul i32 %s, %y   ; (x + w)·y       %r = add i32 %p, %x      ; x·y + x
//
// Does nothing if the sum has other uses or is in another block.
struct RestoreMultiplyAdds : llvm::PassInfoMixin<RestoreMultiplyAdds> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
