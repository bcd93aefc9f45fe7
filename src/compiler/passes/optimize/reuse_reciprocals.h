// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Divides 64-bit integers in a loop by a number that the loop does not change, where both usually fit in 32 bits, as indices and sizes do:
//
//   loop:  %q = sdiv i64 %x, %n     →  entry: %m = udiv i32 -1, trunc %n
//                                      loop:  %e = mulhi i32 trunc %x, %m      ; the quotient or 1 less
//                                             %r = trunc %x - %e * trunc %n
//                                             %f = %e + (%r >= trunc %n)
//                                             br (%x | %n) >> 32 != 0, %long, %tail
//                                      long:  %q = div.s64 %x, %n
//                                      tail:  %q = phi [ zext %f ], [ %q, %long ]
//
// The hardware has no division. LLVM makes such a branch, too, but ptxas then computes the reciprocal in each iteration, because it is on
// one side of the branch. A remainder, alone or beside the quotient, is %r or %r - %n. Unsigned divisions need no branch if %x is known to
// take 32 bits. Does nothing to divisions by constants, for which LLVM multiplies; to numbers known to take more than 32 bits; and in loops
// known to run fewer than four times.
struct ReuseReciprocals : llvm::PassInfoMixin<ReuseReciprocals> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
