// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Copies and fills of known size are loads and stores of words as long as the addresses allow, which LLVM
// then merges. It would copy more than 128 bytes by a loop over the bytes. Does nothing to copies of unknown
// size, to volatile ones, and to memmove of more than 16 words.
struct ExpandMemcpy : llvm::PassInfoMixin<ExpandMemcpy> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
