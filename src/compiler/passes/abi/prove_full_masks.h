// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// In a kernel's blocks that all work-items of a sub-group reach together (arrivals.h), the mask of active work-items is that of all lanes:
//
//   %mask = call i32 @llvm.nvvm.activemask()    →  i32 -1
//
// `activemask` is unreliable: the hardware need not have reconverged a warp at the point where its paths meet, and does not in code that
// ptxas has not optimised. An instruction with the full mask waits for every lane, and costs less as well. Does nothing to masks in other
// blocks and in functions that are no kernels (track_active_masks.h).
struct ProveFullMasks : llvm::PassInfoMixin<ProveFullMasks> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
