// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22: for a switch with an unreachable default NVPTX may emit a branch to `exit`, which ends the work-item; the executor has to
// inline functions that can do so. The highest case becomes the default, so that the remaining cases are still contiguous, for a jump
// table:
//
//   switch i32 %x, label %never [0: %zero, 1: %one, 2: %two]    →  switch i32 %x, label %two [0: %zero, 1: %one]
//
// Does nothing to switches whose default can be reached.
//
// To go when Ptx.NoDefaultThatCannotBeReachedEndsTheWorkItem (tests/compiler/ptx_test.cpp) passes without it.
struct NvptxUnreachableDefault : llvm::PassInfoMixin<NvptxUnreachableDefault> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
