// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Calls of sqrt whose !fpmath allows 3 ulp, as the language does by default, become the approximate instruction:
//
//   call float @_Z4sqrtf(float %x), !fpmath !{float 3.0}    →  call float @llvm.nvvm.sqrt.approx.f(float %x)
//
// Runs before the library is linked: Clang puts !fpmath at calls of the library's sqrt, and inlining would lose it. Does nothing to calls
// without it, as with -cl-fp32-correctly-rounded-divide-sqrt.
struct RelaxSquareRoot : llvm::PassInfoMixin<RelaxSquareRoot> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
