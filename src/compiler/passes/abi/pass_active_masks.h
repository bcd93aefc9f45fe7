// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// A function that calls llvm.nvvm.activemask and has not been inlined gets a last parameter with the mask of the work-items that call it,
// from which TrackActiveMasks goes on. Callers pass their own mask, so that their callers are changed in turn up to the kernels:
//
//   define i32 @f(i32 %x)     →  define i32 @f(i32 %x, i32 "clcuda-active-mask" %active_mask)
//   call i32 @f(i32 1)        →  %mask = call i32 @llvm.nvvm.activemask()
//                                call i32 @f(i32 1, i32 %mask)
//
// Does nothing to kernels, to functions without such a call, and to functions whose address is taken: these keep `activemask`, which
// CheckIndirectCalls refuses.
struct PassActiveMasks : llvm::PassInfoMixin<PassActiveMasks> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
