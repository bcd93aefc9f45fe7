// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// sqrt in the accuracy that the language asks for: calls that Clang has given 3 ulp become sqrt.approx. Clang
// notes the accuracy at calls of the library's sqrt, where it would be lost with the call. (Before the
// library is linked.) Does nothing to calls without the note, as with -cl-fp32-correctly-rounded-divide-sqrt.
struct RelaxSquareRoot : llvm::PassInfoMixin<RelaxSquareRoot> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
