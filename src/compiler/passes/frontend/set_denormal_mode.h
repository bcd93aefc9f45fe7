// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Fixes, in one of several modules that are to be linked, how its functions treat single-precision denormals:
// all of them flush, or those that were not compiled to flush keep them. Does nothing to functions that have
// a mode if denormals are to be kept.
class SetDenormalMode : public llvm::PassInfoMixin<SetDenormalMode> {
 public:
  explicit SetDenormalMode(bool flush) : flush_(flush) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  bool flush_;
};

}  // namespace clcuda::compiler
