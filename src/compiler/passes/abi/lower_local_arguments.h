// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// Arguments of kernels that point to `local` become offsets of 32 bits into dynamic shared memory, in the uniform variant multiples of
// `kUniformAddressAlignment`, so that adjacent accesses can be vectorised. Does nothing to kernels without such arguments, and to functions
// that are no kernels.
class LowerLocalArguments : public llvm::PassInfoMixin<LowerLocalArguments> {
 public:
  explicit LowerLocalArguments(Variant variant) : variant_(variant) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Variant variant_;
};

}  // namespace clcuda::compiler
