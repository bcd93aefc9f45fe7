// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// In the uniform variant, addresses of buffers among a kernel's arguments are multiples of kUniformAddressAlignment bytes, which the
// launch has checked; adjacent loads can then be merged into vector loads.
//
//   @k(ptr addrspace(1) align 4 %a)    →  @k(ptr addrspace(1) align 16 %a)
//
// Does nothing in the general variant, to arguments that are no addresses of buffers, and to functions that are no kernels.
class AlignArguments : public llvm::PassInfoMixin<AlignArguments> {
 public:
  explicit AlignArguments(Variant variant) : variant_(variant) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) const;

 private:
  Variant variant_;
};

}  // namespace clcuda::compiler
