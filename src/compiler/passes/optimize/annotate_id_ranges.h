// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// Work-group sizes as PTX directives, and the ranges of the special registers that follow from them and from
// the device's bounds; a register of which one value is left becomes a constant. A required size holds for
// the uniform variant only, as groups of the general one may be smaller at the edges. Does nothing to
// registers that are no ids and no sizes.
class AnnotateIdRanges : public llvm::PassInfoMixin<AnnotateIdRanges> {
 public:
  explicit AnnotateIdRanges(Variant variant) : variant_(variant) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) const;

 private:
  Variant variant_;
};

}  // namespace clcuda::compiler
