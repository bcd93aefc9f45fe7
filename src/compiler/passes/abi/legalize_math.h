// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Intrinsics that NVPTX cannot select, or only as an approximation, become calls of the library's functions,
// element by element for vectors. (Between the linking of the library and that of libdevice.) Does nothing to
// intrinsics that NVPTX has an instruction for.
struct LegalizeMath : llvm::PassInfoMixin<LegalizeMath> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
