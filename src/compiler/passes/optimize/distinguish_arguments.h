// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

struct Lowering;

// In the uniform variant, no byte that a kernel writes belongs to two of its buffer arguments, which each launch checks. Pointers to
// global memory among the arguments become noalias, as if declared restrict, and the kernel gets the attribute
// kDistinctArgumentsAttribute:
//
//   @k(ptr addrspace(1) %a, ptr addrspace(1) %b)    →  @k(ptr addrspace(1) noalias "clcuda-distinct" %a, …) "clcuda-distinct-arguments"
//
// That holds for kernels that access global memory through their arguments only. Does nothing to a kernel that might obtain a pointer
// otherwise (it loads one, makes one from an integer, calls through a pointer or gets one from a function outside the program), to one
// with fewer than two pointers to global memory, and where `lowering` says that arguments overlap or asks for no optimisation. Runs before
// the library is linked, whose functions use pointers of their own. Analyses the code as SROA leaves it.
class DistinguishArguments : public llvm::PassInfoMixin<DistinguishArguments> {
 public:
  explicit DistinguishArguments(const Lowering& lowering);
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;

 private:
  bool applies_;
};

}  // namespace clcuda::compiler
