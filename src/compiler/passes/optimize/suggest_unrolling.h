// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Asks for partial unrolling of innermost loops, by four or in some cases by eight (many iterations, dependent loads): of those with up to
// 60 instructions, or 48 if the number of iterations is known; 100 if iterations load the same elements besides. NVPTX's own threshold
// leaves most of them alone.
//
//   br i1 %more, label %loop, label %end    →  br i1 %more, label %loop, label %end, !llvm.loop !{… "llvm.loop.unroll.count", i32 4}
//
// Runs just before LLVM's unroller. Does nothing to loops that say how to be unrolled (#pragma unroll), and to those with barriers or
// calls.
struct SuggestUnrolling : llvm::PassInfoMixin<SuggestUnrolling> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
