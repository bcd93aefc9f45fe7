// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Address space 4 (constant) becomes 1 (global) in the whole program, and loads through such pointers get !invariant.load:
//
//   %x = load i32, ptr addrspace(4) %c    →  %x = load i32, ptr addrspace(1) %c, !invariant.load
//
// PTX's constant space is a bank of 64 KB with variables of the module only, while a `constant` argument is a buffer. One function may be
// given pointers to both, so all constants of a program stay in the bank, or none. Does nothing in programs whose kernels take no such
// pointers, that exchange none through memory (constant_pointer_exchange.h), and whose constants fit the bank.
struct LowerConstantPointers : llvm::PassInfoMixin<LowerConstantPointers> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
