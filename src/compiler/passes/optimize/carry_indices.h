// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Carries the index of an access from iteration to iteration of an innermost loop where computing it takes two multiplications or more, as
// that of a cell in a volume does in a loop over its planes:
//
//   loop:  %row = mul i32 %k, %height                    →  loop:  %carried = phi i32 [ %start, %entry ], [ %next, %loop ]
//          %line = add i32 %row, %j                                %index = sext i32 %carried to i64
//          %plane = mul i32 %line, %width                          %address = getelementptr float, ptr %a, i64 %index
//          %cell = add i32 %plane, %i                              %x = load float, ptr %address
//          %index = sext i32 %cell to i64                          %next = add i32 %carried, %stride
//          %address = getelementptr float, ptr %a, i64 %index
//          %x = load float, ptr %address
//
// The access waits for fewer instructions, and an addition takes the place of the multiplications. Does nothing to indices that take one
// multiplication, for which the addition would be no gain; to those that grow by a constant; and in loops where the indices would take
// more than eight registers.
struct CarryIndices : llvm::PassInfoMixin<CarryIndices> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
