// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// States the ranges of the special registers for ids and sizes, from the device's limits and the kernel's required work-group size. If that
// is more than 256 work-items, it also becomes a PTX directive (.reqntid, in the general variant .maxntid). Arithmetic on small ids can
// then be done in 32 or fewer bits; a register with one possible value becomes a constant.
//
//   %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()    →  %x = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
//
// A required size holds for the uniform variant only, as groups at the edges of the general one may be smaller. Does nothing to other
// registers.
class AnnotateIdRanges : public llvm::PassInfoMixin<AnnotateIdRanges> {
 public:
  explicit AnnotateIdRanges(Variant variant) : variant_(variant) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) const;

 private:
  Variant variant_;
};

}  // namespace clcuda::compiler
