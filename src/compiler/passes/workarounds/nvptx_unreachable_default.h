// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22: of a switch without a default that can be reached NVPTX may make a branch to an `exit`, which ends
// the work-item; the executor has to inline functions that can do so. The highest case becomes the default,
// so that what is left is still one run of numbers, for a table. Does nothing to switches whose default can
// be reached.
//
// To go when Ptx.NoDefaultThatCannotBeReachedEndsTheWorkItem (tests/compiler/ptx_test.cpp) passes without it.
struct NvptxUnreachableDefault : llvm::PassInfoMixin<NvptxUnreachableDefault> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
