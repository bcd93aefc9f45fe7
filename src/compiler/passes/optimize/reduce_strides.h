// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Turns the addresses of copies of an access, which unrolling made in an innermost loop, into a pointer that is incremented, if they differ
// by a value that is not constant, such as the length of a row:
//
//   loop:  %row = mul nsw i32 %i, %n                            →  loop:  %p = phi ptr [ %start, %entry ], [ %p.end, %loop ]
//          %index = sext i32 %row to i64                                  %x = load float, ptr %p
//          %address = getelementptr float, ptr %a, i64 %index             %p.1 = getelementptr i8, ptr %p, i64 %stride
//          %x = load float, ptr %address                                  %y = load float, ptr %p.1
//          %i.1 = add nsw i32 %i, 1                                       %p.end = getelementptr i8, ptr %p.1, i64 %stride
//          %row.1 = mul nsw i32 %i.1, %n
//          …
//
// ptxas, which unrolls such loops further, would multiply again for each of its copies, need more registers and keep fewer loads in flight.
// Does nothing to other addresses: one that grows by a constant takes one instruction (IMAD.WIDE) or none (an offset), and incrementing it
// takes two. Nor where indices may wrap, in copies at unequal distances, and to more than eight registers hold pointers for.
struct ReduceStrides : llvm::PassInfoMixin<ReduceStrides> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
