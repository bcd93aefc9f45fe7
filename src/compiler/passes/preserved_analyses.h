// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Analysis.h>

namespace clcuda::compiler {

// What a pass preserves that changes instructions, but neither blocks nor branches.
inline llvm::PreservedAnalyses control_flow_preserved(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace clcuda::compiler
