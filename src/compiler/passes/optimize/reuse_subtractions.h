// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Uses a difference that exists already, as between iterations of an unrolled loop; the added constant becomes part of an address:
//
//   %d = sub i32 %a, %b                        →  %d = sub i32 %a, %b
//   %s = add i32 %a, 1; %r = sub i32 %s, %b       %r = add i32 %d, 1
//
// Does nothing if a - b is not computed on all paths ahead of it.
struct ReuseSubtractions : llvm::PassInfoMixin<ReuseSubtractions> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
