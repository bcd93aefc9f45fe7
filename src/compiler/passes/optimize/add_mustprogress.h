// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Loops that can be left are left, or do something that others see: what C11 and C++ say of loops and C99, of
// which OpenCL C is made, does not. A loop in strides then has a number of turns, by which it can be
// unrolled. Assembly without side effects, such as a texture fetch, returns. Does nothing to loops that
// cannot be left.
struct AddMustprogress : llvm::PassInfoMixin<AddMustprogress> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
