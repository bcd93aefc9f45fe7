// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// x + (c ? y : 0) becomes c ? x + y : x where x is needed for nothing else: ptxas makes one instruction of
// that, which adds in place where the condition holds, and of the sum two; the same of differences, `or` and
// `xor`. (After optimisation, which knows the sum alone.) Does nothing to numbers that are not of 32 bits,
// and where either operand has other uses.
struct FoldAddIntoSelect : llvm::PassInfoMixin<FoldAddIntoSelect> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
