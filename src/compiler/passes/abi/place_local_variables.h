// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Moves local variables of kernels that have more than 44 KB of them from static shared memory, which ends at 48 KB, to the front of
// dynamic shared memory. The kernel's attribute kStaticLocalAttribute tells the runtime how many bytes that takes:
//
//   @first = internal addrspace(3) global [50000 x i8] poison    →  @__clcuda_dynamic_local, from byte 0 on
//   define ptx_kernel void @k()                                  →  define ptx_kernel void @k() "clcuda-static-local-size"="50000"
//
// Variables of 16 bytes and more get an alignment of at least 16, wherever they lie. Moves nothing in programs all of whose kernels have
// at most 44 KB.
struct PlaceLocalVariables : llvm::PassInfoMixin<PlaceLocalVariables> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
