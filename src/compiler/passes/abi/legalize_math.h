// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Math intrinsics that NVPTX cannot select, or would select as an approximation only, become calls of the library's functions, for vectors
// element by element, or intrinsics that NVPTX can select (llvm.lround becomes a conversion of llvm.round):
//
//   %s = call float @llvm.sin.f32(float %x)    →  %s = call float @_Z3sinf(float %x)
//
// Clang's builtins make such intrinsics: __builtin_powif, __builtin_elementwise_tan. Runs between the linking of the library, which
// defines the functions, and that of libdevice, which they need. Does nothing to intrinsics for which NVPTX has an accurate instruction.
struct LegalizeMath : llvm::PassInfoMixin<LegalizeMath> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
