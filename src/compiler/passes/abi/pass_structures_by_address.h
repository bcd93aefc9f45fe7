// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Calls through pointers pass the address of a structure where functions take the structure itself (byval), since the call may not say that
// they do: SPIR-V has ArgumentAttributeINTEL for this, which LLVM's back end does not write. A function whose address is taken gets a
// second one, with that address, that takes a structure's address and passes the structure on:
//
//   define void @f(ptr byval(%s) %p)                    stays, for direct calls
//   @table = global ptr @f                           →  @table = global ptr @f.by_address
//   call void %pointer(ptr byval(%s) %p)             →  call void %pointer(ptr %p)
//
// Does nothing to functions without such parameters.
struct PassStructuresByAddress : llvm::PassInfoMixin<PassStructuresByAddress> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
