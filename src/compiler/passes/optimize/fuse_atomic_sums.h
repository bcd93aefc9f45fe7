// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Makes one atomic addition of a loop that adds to a number in memory by compare-exchange, as programs for OpenCL 1.x must:
//
//   loop: %old = load volatile float, ptr addrspace(3) %p      →  %old = atomicrmw fadd ptr addrspace(3) %p, float %x
//         %sum = fadd float %old, %x
//         %pair = cmpxchg ptr addrspace(3) %p, %old, %sum
//         br i1 %pair.1, label %end, label %loop
//
// Order and scope stay. The loop may take for the old value what it loads, in each attempt or once, or what the last attempt found. It may
// use the old value and the sum afterwards, and may subtract %x. The last attempt of such a loop computes all results from the value that
// its exchange finds, so the loop can be taken to succeed at its first attempt, with nothing between its load and its exchange.
//
// The instruction adds as fadd does, but in global memory it flushes single-precision subnormal numbers to zero. There, and where the
// memory is not known, a loop whose function keeps them is left for small operands only, as in builtins/atomics_floating.cl:
//
//   br i1 (fabs(%x) >= 0x1p-100), label %add, label %loop
//
// Does nothing if the loop has other effects, loads anything else, counts its attempts or has another exit; if %x changes in it; if an
// attempt does not look at memory again (a lock), or looks with more than relaxed order; and if it compares numbers instead of bits: a NaN
// never ends such a loop, and zeros of either sign do.
struct FuseAtomicSums : llvm::PassInfoMixin<FuseAtomicSums> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
