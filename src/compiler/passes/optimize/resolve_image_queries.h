// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// What SpecializeImageQueries has left unanswered is what was loaded from the image's descriptor. Does
// nothing where there are no questions.
struct ResolveImageQueries : llvm::PassInfoMixin<ResolveImageQueries> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
