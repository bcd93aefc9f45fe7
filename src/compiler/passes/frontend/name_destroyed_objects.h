// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// C++ for OpenCL: passes the object to the destructor of a static object. Clang passes null if the object is not in the default address
// space, but names the calling function after the object:
//
//   define internal void @__dtor_object() { call void @destroy(ptr null) … }
//       →  call void @destroy(ptr addrspacecast (ptr addrspace(1) @object to ptr))
//
// Does nothing to functions of other names, or whose object does not exist.
struct NameDestroyedObjects : llvm::PassInfoMixin<NameDestroyedObjects> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
