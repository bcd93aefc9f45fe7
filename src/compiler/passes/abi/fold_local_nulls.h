// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// From this architecture on, no variable is at offset 0 of shared memory, and a shared address is the low half of the generic one; so
// the offset 0 can serve as the null pointer. On earlier ones a generic address is the shared one plus a constant, by which the null
// pointers also convert into each other.
inline constexpr int kFirstArchitectureWithLocalNulls = 90;

// Constants that convert a null pointer to or from the `local` address space become the null pointer of the target space:
//
//   addrspacecast (ptr null to ptr addrspace(3))    →  ptr addrspace(3) null
//   addrspacecast (ptr addrspace(3) null to ptr)    →  ptr null
//
// Clang writes NULL of `local` in the first form. The optimiser does not see that it is null, and at run time the conversion of a `local`
// 0 gives the address at which shared memory begins. The null pointer of `local` is the number 0, as in zero-initialised variables.
// PreserveLocalNulls does the same for conversions that are not constant. Does nothing before sm_90 (kFirstArchitectureWithLocalNulls).
class FoldLocalNulls : public llvm::PassInfoMixin<FoldLocalNulls> {
 public:
  explicit FoldLocalNulls(const Target& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Target target_;
};

}  // namespace clcuda::compiler
