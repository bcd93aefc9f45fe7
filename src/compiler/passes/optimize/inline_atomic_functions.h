// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Inlines calls of the library's atomic functions with a constant memory order or scope as last argument. Such a function selects among up
// to 45 instructions by order, scope and address space; inlined at once, the others do not reach the optimiser.
//
//   call i32 @_Z25atomic_fetch_add_explicit…(ptr %p, i32 1, i32 0)    →  atomicrmw add ptr %p, i32 1 … monotonic
//
// Does nothing to calls whose last argument is not constant, and to functions of the program.
struct InlineAtomicFunctions : llvm::PassInfoMixin<InlineAtomicFunctions> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
