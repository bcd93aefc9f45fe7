// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// The library's functions, which were compiled for no mode in particular, flush single-precision denormals if
// all of the program's kernels do: the inliner keeps functions of different modes apart. Does nothing if any
// kernel keeps denormals, or to functions that have a mode.
struct PropagateDenormalMode : llvm::PassInfoMixin<PropagateDenormalMode> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
