// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Unrolls loops with one convergent operation, a barrier or a sub-group function, by four, just before LLVM's unroller. That leaves them
// alone if the trip count is unknown, as the remainder would make the operation depend on a condition.
//
//     loop:  %s = call i32 @llvm.nvvm.redux.sync.add(i32 %v, i32 -1)    →  four such calls an iteration, and a remainder loop
//            br i1 %more, label %loop, label %end
//
// - With a known trip count there is no remainder. Loops up to a size in which the loop's own instructions matter are unrolled whatever
//   they call.
// - With an unknown count that is the same for all work-items, the remainder's condition is uniform, too. Small loops of one block with a
//   sub-group function, such as a reduction in one instruction, are unrolled if they call nothing else: beside another call the loop's own
//   instructions do not matter.
//
// Does nothing to loops with several convergent operations, with inline PTX that must not be duplicated or noduplicate calls, and to those
// that say how to be unrolled.
struct UnrollConvergentLoops : llvm::PassInfoMixin<UnrollConvergentLoops> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
