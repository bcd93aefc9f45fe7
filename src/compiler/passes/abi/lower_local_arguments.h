// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// A kernel's arguments that point to `local` become 32-bit offsets into dynamic shared memory, which the launch lays out:
//
//   @k(ptr addrspace(3) %a)    →  @k(i32 %a), with  getelementptr i8, ptr addrspace(3) @__clcuda_dynamic_local, i32 %a
//
// If an argument needs an alignment of more than kDynamicLocalAlignment, offsets count from the address rounded down
// (dynamic_local_address); KernelInfo::static_local_size keeps free what that skips.
//
// In the uniform variant the offsets are multiples of kUniformAddressAlignment bytes, which an llvm.assume states, so that adjacent
// accesses can be vectorised. Does nothing to kernels without such arguments, and to functions that are no kernels, which go on taking
// pointers.
class LowerLocalArguments : public llvm::PassInfoMixin<LowerLocalArguments> {
 public:
  explicit LowerLocalArguments(Variant variant) : variant_(variant) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Variant variant_;
};

}  // namespace clcuda::compiler
