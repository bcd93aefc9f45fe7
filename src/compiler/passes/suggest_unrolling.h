// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Small innermost loops of a known number of trips that is too large to unroll them whole are unrolled by
// four: NVPTX's own threshold leaves most of them alone. To run just before the unroller.
struct SuggestUnrolling : llvm::PassInfoMixin<SuggestUnrolling> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
