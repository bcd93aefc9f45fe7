// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// ptxas 13.0 loses the negation of the second operand in the maximum or minimum of three signed numbers, which is one instruction of
// Hopper and data-centre Blackwell. A negated operand of a 32-bit signed minimum or maximum is moved to the front:
//
//   call i32 @llvm.smax.i32(i32 %x, i32 %minus_y)    →  call i32 @llvm.smax.i32(i32 %minus_y, i32 %x)
//
// If both are negated, max(-x, -y) becomes ~min(x - 1, y - 1). Runs after PtxasAbs, which makes such operations. Does nothing to operands
// that are no negations, and to unsigned operations.
//
// To go when OppositeNumbers.OfInts (tests/kernels/language.cpp) passes on a Hopper GPU without it.
struct PtxasNegatedMinmax : llvm::PassInfoMixin<PtxasNegatedMinmax> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
