// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Approximate instructions (ex2, lg2, sin, cos, div, sqrt, rsqrt) in functions that flush denormals become the forms that flush too (.ftz),
// which the hardware has; the others are scaled to and fro by several instructions. (After inlining: the library's functions have no mode of
// their own.) Does nothing where denormals are kept.
struct FlushApproximations : llvm::PassInfoMixin<FlushApproximations> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
