// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Intrinsics that NVPTX cannot select, or only as an approximation, become calls of the library's functions,
// element by element for vectors, or what NVPTX can select: llvm.lround is a conversion of llvm.round.
// (Between the linking of the library and that of libdevice.) Does nothing to intrinsics that NVPTX has an
// instruction for. Clang's builtins make all of these: __builtin_powif, __builtin_elementwise_tan.
struct LegalizeMath : llvm::PassInfoMixin<LegalizeMath> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
