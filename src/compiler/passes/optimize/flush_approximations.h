// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// In functions that flush denormals, approximate instructions (ex2, lg2, sin, cos, div, sqrt, rsqrt) become their flushing forms (.ftz),
// which are single hardware instructions; the others scale denormals by several instructions.
//
//   call float @llvm.nvvm.sqrt.approx.f(float %x)    →  call float @llvm.nvvm.sqrt.approx.ftz.f(float %x)
//
// Runs after inlining, as the library's functions have no denormal mode of their own. Does nothing in functions that keep denormals.
struct FlushApproximations : llvm::PassInfoMixin<FlushApproximations> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
