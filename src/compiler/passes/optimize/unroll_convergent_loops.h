// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Loops around one convergent operation, a barrier or a function of the sub-group, are unrolled by four just
// before LLVM's unroller, which leaves them as they are if it does not know the number of trips: the rest of
// the trips would be behind a condition of its own.
// - Where the number is known, nothing is left over. Loops up to a size in which their own cost counts are
//   unrolled whatever else they call.
// - Where it is not known but the same for all work-items, that condition is, too. Small loops of one block
//   around a function of the sub-group, such as a reduction in one instruction, are unrolled if they call
//   nothing else: beside another call the loop's own cost does not count.
// Does nothing to loops with several convergent operations, with PTX that cannot stand twice, with calls that
// must not be duplicated, or with a wish of their own.
struct UnrollConvergentLoops : llvm::PassInfoMixin<UnrollConvergentLoops> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
