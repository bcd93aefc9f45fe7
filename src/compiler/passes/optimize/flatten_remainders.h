// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// What unrolling leaves over of a loop that reads where to read, a few turns at most, becomes straight code
// in which the loads of all turns are under way together. Turns beyond the last repeat it, and what they
// bring is dropped. Does nothing to loops of more than seven turns or 24 instructions, and to those that
// write.
struct FlattenRemainders : llvm::PassInfoMixin<FlattenRemainders> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
