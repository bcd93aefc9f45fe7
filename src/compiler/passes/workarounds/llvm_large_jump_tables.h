// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22 takes quadratic time for a large jump table. Functions with a switch of more than 512 cases get the attribute "no-jump-tables",
// so that the case is found by comparisons. Does nothing to other functions.
//
// To go when Robustness.ManyCases (tests/compiler/robustness_test.cpp) takes no longer without it.
struct LlvmLargeJumpTables : llvm::PassInfoMixin<LlvmLargeJumpTables> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
