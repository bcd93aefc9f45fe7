// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Throws ProgramError if a function that may be called through a pointer, itself or by what it calls, needs its kernel to know of it: one
// that uses local variables, which belong to a kernel's launch, or in which work-items wait for others or exchange values, for which the
// executor (ptx/) must see the call.
//
//   error: function 'f' cannot be called through a pointer: it uses local memory
//
// Runs when it is known which addresses are still taken after optimisation. Does nothing in programs that call nothing through pointers,
// such as those with blocks, whose literals have the addresses of functions.
struct CheckIndirectCalls : llvm::PassInfoMixin<CheckIndirectCalls> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
