// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// PTX's constant space is a bank that the module defines; a `constant` argument is a buffer. Address space 4
// becomes 1, whose loads are then invariant, in programs that pass such a pointer to a kernel, find one in
// memory of others (constant_pointer_exchange.h), or have more than 64 KB of constants. Does nothing in other
// programs.
struct LowerConstantPointers : llvm::PassInfoMixin<LowerConstantPointers> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
