// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Raises the inliner's threshold for calls that pass a pointer to private memory, for functions of up to about 4000 instructions: a
// variable whose address is passed to a call has to be in memory; once the call is inlined, it can be in registers.
//
//   call void @f(ptr %variable)    →  call void @f(ptr %variable) "function-inline-threshold"="20000"
//
// Does nothing to calls without such a pointer, of noinline functions, and of functions without a body.
struct RaiseInlineThreshold : llvm::PassInfoMixin<RaiseInlineThreshold> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
