// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM takes it that no call reads or changes what a noalias pointer points to unless the pointer has escaped: not even a barrier, a fence
// or an atomic function, across which it would forward loads and delete stores. But other work-items use the same memory. In kernels that
// synchronize, noalias pointers to global memory, whether declared restrict or made so by distinguish_arguments, escape to PTX without
// text. Accesses through different pointers are still known to be of different memory:
//
//   @k(ptr addrspace(1) noalias %a)  →  @k(…) { call void asm sideeffect "", "l"(i64 ptrtoint %a) …
//
// In a kernel that synchronizes within its work-group alone, only pointers through which it writes: nothing else changes memory then. The
// others may still be read as memory that is constant. A function of the program that synchronizes loses the noalias of its parameters,
// which inlining would turn into the same assumption. Does nothing to kernels without synchronization.
struct LetArgumentsEscape : llvm::PassInfoMixin<LetArgumentsEscape> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

}  // namespace clcuda::compiler
