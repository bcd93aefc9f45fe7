// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Variables whose initial values refer to each other, or to themselves, cannot be written in PTX, which knows only what comes before. This
// pass leaves out as many references as close a cycle, and adds a constructor that stores them:
//
//   @a = addrspace(1) global %node { ptr addrspace(1) @b }      @a = addrspace(1) global %node { ptr addrspace(1) @b }
//   @b = addrspace(1) global %node { ptr addrspace(1) @a }  →   @b = addrspace(1) global %node zeroinitializer
//                                                               define internal void @__clcuda_close_cycles() { store … @a, … @b … }
struct BreakInitializerCycles : llvm::PassInfoMixin<BreakInitializerCycles> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
