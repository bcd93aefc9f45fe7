// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Functions of the library, which were compiled without a denormal mode, get the attribute to flush single-precision denormals if all
// kernels of the program flush them: the inliner does not inline across different modes. Does nothing if any kernel keeps denormals, and
// to functions that have a mode.
//
//   define float @_Z3sinf(float)    →  define float @_Z3sinf(float) "denormal-fp-math-f32"="preserve-sign,preserve-sign"
struct PropagateDenormalMode : llvm::PassInfoMixin<PropagateDenormalMode> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
