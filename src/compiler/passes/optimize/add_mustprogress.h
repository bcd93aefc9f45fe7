// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// States of each loop with an exit that it makes progress: it ends, or has effects that others can observe.
//
//   br i1 %more, label %loop, label %end    →  br i1 %more, label %loop, label %end, !llvm.loop !{… "llvm.loop.mustprogress"}
//
// C11 and C++ guarantee that; C99, on which OpenCL C is based, does not. LLVM can then compute the trip count of a loop with a step other
// than 1, and unroll it. Assembly without side effects, such as a texture fetch, gets `willreturn`. Does nothing to loops without an exit,
// and in functions that are mustprogress already.
struct AddMustprogress : llvm::PassInfoMixin<AddMustprogress> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
