// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Decides which loads through the pointers that DistinguishArguments has made noalias become ld.global.nc: they get !invariant.load, and
// the pointers lose noalias. Chosen are all loads of memory that the kernel only reads, except those in an innermost loop that also writes
// to memory and has more than eight of them.
//
//   @k(ptr addrspace(1) noalias readonly "clcuda-distinct" %a)    →  @k(ptr addrspace(1) readonly "clcuda-distinct" %a)
//   load i32, ptr addrspace(1) %a                                 →  load i32, ptr addrspace(1) %a, !invariant.load
//
// ptxas moves such loads ahead of the stores of earlier iterations, which hides their latency; but many of them ahead of a store need more
// than the caches hold of what the work-items of a group read in common. (A stencil over a volume, unrolled four times with five loads an
// iteration, took 1.5 times as long on an H100.) Does nothing to pointers that the program declares restrict.
struct ChooseInvariantLoads : llvm::PassInfoMixin<ChooseInvariantLoads> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
