// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Constructs and destroys the objects of C++ for OpenCL that live as long as the program. Clang emits functions that construct those of
// program scope and lists them in llvm.global_ctors; after each construction, also of a function's static objects, it calls atexit with a
// function that destroys the object. This pass makes two kernels for the runtime, one that calls the constructors and one that destroys
// (marked with kLifeAttribute):
//
//   define ptx_kernel void @__clcuda_initialize() "clcuda-life" { call void @constructor() … }
//   define ptx_kernel void @__clcuda_finalize() "clcuda-life" { … }
//
// Which static objects of functions will exist, and in which order, is only known when they are constructed. Registrations therefore form
// a list in device memory, the latest first: each call of atexit, which runs at most once, has a number and an entry for the number of the
// one before. Does nothing in programs without constructors, or without calls of atexit.
struct LowerCtorsDtors : llvm::PassInfoMixin<LowerCtorsDtors> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
