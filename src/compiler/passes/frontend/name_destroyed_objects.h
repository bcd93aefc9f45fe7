// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// C++ for OpenCL: Clang names the function that destroys a static object after the object, and passes it null
// instead of an object that is not in the default address space. The call gets the object's address. Does
// nothing to functions that are not named so, or whose object is not there.
struct NameDestroyedObjects : llvm::PassInfoMixin<NameDestroyedObjects> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
