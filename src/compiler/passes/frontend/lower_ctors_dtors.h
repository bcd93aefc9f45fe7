// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Objects of C++ for OpenCL that live as long as the program. Clang leaves a function that constructs those
// of program scope, named in llvm.global_ctors; there, and where a function constructs its static ones, it
// registers with atexit a function that destroys the object. The runtime gets a kernel that constructs and
// one that destroys (`kLifeAttribute`). Does nothing in programs without constructors, or without calls of
// atexit.
//
// Which objects of functions there will be, and in which order, is known only when they are constructed. So
// registrations are a list in device memory, the latest first: each call of atexit, which runs once at most,
// has a number and a place for the number of the one before.
struct LowerCtorsDtors : llvm::PassInfoMixin<LowerCtorsDtors> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
