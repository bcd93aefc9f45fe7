// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// x·y + x with x = w·y is a multiplication and addition in one; the optimiser makes it (x + w)·y, which is
// two instructions, because they have a factor in common. This turns it back. Does nothing where the sum has
// other uses, or lies in another block.
struct RestoreMultiplyAdds : llvm::PassInfoMixin<RestoreMultiplyAdds> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
