// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22: NVPTX emits every atomicrmw as relaxed and of device scope. Fences before and after it give the order:
//
//   atomicrmw add ptr addrspace(1) %p, i32 %x syncscope("device") acq_rel    →  fence syncscope("device") release
//                                                                               atomicrmw add … syncscope("device") monotonic
//                                                                               fence syncscope("device") acquire
//
// Operations of system scope become NVPTX's intrinsics of that scope or, if there is none, a loop around a compare-exchange, whose scope
// and order NVPTX emits correctly. Does nothing to relaxed operations of device or smaller scope. Operations on local memory stay
// atomicrmw.
//
// To go when the llc run of tests/compiler/passes/nvptx_atomicrmw_order.ll fails; tests/kernels/memory_model.cpp must pass without it
// then.
struct NvptxAtomicrmwOrder : llvm::PassInfoMixin<NvptxAtomicrmwOrder> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
