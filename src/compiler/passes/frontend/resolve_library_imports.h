// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Gives to the OpenCL C library what a SPIR-V module imports by the name of one of the library's functions (free_library_names.h), if no
// module of the program exports it.
//
//   declare float @program._Z3sinf(float)    →  declare float @_Z3sinf(float)
//
// Does nothing to imports that are defined.
struct ResolveLibraryImports : llvm::PassInfoMixin<ResolveLibraryImports> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
