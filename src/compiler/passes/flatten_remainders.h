// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// What unrolling leaves over of a loop that reads where to read, a few turns at most, becomes straight code in which the loads of all turns
// are under way together. Turns beyond the last repeat it, and what they bring is dropped.
class FlattenRemainders : public llvm::PassInfoMixin<FlattenRemainders> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
