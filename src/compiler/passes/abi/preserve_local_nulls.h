// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// Null pointers stay null in conversions between `local` and the generic address space that are left after optimisation: the hardware
// would convert 0 to where shared memory begins.
//
//   %g = addrspacecast ptr addrspace(3) %p to ptr    →  the same, then  select (%p == null), 0, %g
//
// Conversions between two named address spaces, which NVPTX cannot select, become two conversions through the generic one. Does nothing to
// conversions of pointers that are known to point to variables; before sm_90 it changes only those between named spaces
// (fold_local_nulls.h).
class PreserveLocalNulls : public llvm::PassInfoMixin<PreserveLocalNulls> {
 public:
  explicit PreserveLocalNulls(const Target& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Target target_;
};

}  // namespace clcuda::compiler
