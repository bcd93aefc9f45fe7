// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Innermost loops that are too large to unroll them whole are unrolled in part where that pays (by four,
// mostly): NVPTX's own threshold leaves most of them alone. To run just before the unroller. Does nothing to
// loops with a wish of their own (#pragma unroll), around barriers, or of more than 48 instructions.
struct SuggestUnrolling : llvm::PassInfoMixin<SuggestUnrolling> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
