// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Sets how the functions of a module that is to be linked treat single-precision denormals. With `flush` (-cl-denorms-are-zero) all of
// them flush, except those that must keep denormals (DenormPreserve of SPIR-V); without, functions that have no mode keep denormals.
//
//   define float @f(float)    →  define float @f(float) "denormal-fp-math-f32"="preserve-sign,preserve-sign"   with `flush`
//
// Does nothing to functions that have a mode if `flush` is false.
class SetDenormalMode : public llvm::PassInfoMixin<SetDenormalMode> {
 public:
  explicit SetDenormalMode(bool flush) : flush_(flush) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  bool flush_;
};

}  // namespace clcuda::compiler
