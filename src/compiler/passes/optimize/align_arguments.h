// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// In the uniform variant, addresses among a kernel's arguments are multiples of `kUniformAddressAlignment`.
// Does nothing in the general variant, and to arguments that are no addresses of buffers.
class AlignArguments : public llvm::PassInfoMixin<AlignArguments> {
 public:
  explicit AlignArguments(Variant variant) : variant_(variant) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) const;

 private:
  Variant variant_;
};

}  // namespace clcuda::compiler
