// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Kernels from which enqueue_kernel or its like can be reached get `kEnqueueAttribute`; they print if one of
// the program's blocks does. Throws Refusal for a block with more local variables than static shared memory
// holds. Does nothing else in programs that do not enqueue.
struct MarkEnqueuingKernels : llvm::PassInfoMixin<MarkEnqueuingKernels> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// The functions from which device code adds tasks. (Before the library is linked.)
llvm::SetVector<llvm::Function*> functions_that_enqueue(llvm::Module& module);

}  // namespace clcuda::compiler
