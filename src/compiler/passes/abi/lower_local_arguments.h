// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// The linker (nvlink, cuLink*; 13.0) lets dynamic shared memory begin at a multiple of this, whatever alignment it is declared with.
inline constexpr std::uint64_t kLinkedLocalAlignment = 16;

// A kernel's arguments that point to `local` become 32-bit offsets into dynamic shared memory, which the launch lays out:
//
//   @k(ptr addrspace(3) %a)    →  @k(i32 %a), with  getelementptr i8, ptr addrspace(3) @__clcuda_dynamic_local, i32 %a
//
// In code that is linked with the device runtime, the offsets of arguments that need an alignment of more than kLinkedLocalAlignment are
// from the address rounded down; KernelInfo::static_local_size keeps free what that skips:
//
//   @k(ptr addrspace(3) align 128 %a)    →  @k(i32 %a), with an offset from  llvm.ptrmask(@__clcuda_dynamic_local, -128)
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
