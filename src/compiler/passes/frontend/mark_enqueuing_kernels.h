// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Kernels from which enqueue_kernel, enqueue_marker or create_user_event can be reached get kEnqueueAttribute: their launches need memory
// for tasks. If one of the program's blocks prints, these kernels also get kPrintfAttribute without a bound. Throws ProgramError for a
// block with more than 44 KB of local variables. Does nothing else in programs that do not enqueue.
//
//   define ptx_kernel void @k() { … @__enqueue_kernel_basic(…) }    →  define ptx_kernel void @k() "clcuda-enqueue" …
struct MarkEnqueuingKernels : llvm::PassInfoMixin<MarkEnqueuingKernels> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// The functions from which device code can add tasks, directly or through calls. Only before the library is linked, which defines the
// functions that it looks for.
llvm::SetVector<llvm::Function*> functions_that_enqueue(llvm::Module& module);

}  // namespace clcuda::compiler
