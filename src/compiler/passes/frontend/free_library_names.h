// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Renames functions (and their aliases) of the program that have the mangled name of a function of the OpenCL C library: an overload of the
// program's own in OpenCL C, a function of C++ in SPIR-V. The library's functions would call them (smoothstep calls clamp), and so would
// other modules.
//
//   define float @_Z5clampfff(…)    →  define float @program._Z5clampfff(…)
//
// Does nothing to kernels, which the host asks for by name, and to declarations.
struct FreeLibraryNames : llvm::PassInfoMixin<FreeLibraryNames> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
