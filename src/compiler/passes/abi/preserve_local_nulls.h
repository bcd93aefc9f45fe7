// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// Null pointers stay null in the conversions between `local` and generic that are left after optimisation,
// and conversions between two named address spaces, which the back end lacks, go through the generic one.
// Does nothing to conversions of pointers that are seen to point to variables, and before sm_90 to none but
// those between named spaces.
class PreserveLocalNulls : public llvm::PassInfoMixin<PreserveLocalNulls> {
 public:
  explicit PreserveLocalNulls(const Target& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Target target_;
};

}  // namespace clcuda::compiler
