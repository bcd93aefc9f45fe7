// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Gives local variables whose initial value is zero that value: the work-items of a work-group clear those that their kernel uses, directly
// or through calls, before any of them goes on.
//
//   @v = internal addrspace(3) global [8 x i32] zeroinitializer  →  @v = internal addrspace(3) global [8 x i32] poison
//   define ptx_kernel void @k() { …                              →  for (i = get_local_linear_id(); i < 8; i += …) v[i] = 0;
//                                                                   work_group_barrier(CLK_LOCAL_MEM_FENCE); …
//
// OpenCL C has no such variables. Modules in SPIR-V have them (src/compiler/spirv/read_global.cpp).
struct ClearLocalVariables : llvm::PassInfoMixin<ClearLocalVariables> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
