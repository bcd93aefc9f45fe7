// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22: NVPTX emits every atomicrmw as relaxed and of device scope. Fences on either side give the order;
// operations of system scope become NVPTX's intrinsics of that scope, or a loop around a compare-exchange,
// whose scope and order NVPTX gets right. Does nothing to relaxed operations of device scope and below, and
// keeps those on local memory atomicrmw.
//
// To go when the llc run of tests/compiler/passes/nvptx_atomicrmw_order.ll fails;
// tests/kernels/memory_model.cpp must pass without it then.
struct NvptxAtomicrmwOrder : llvm::PassInfoMixin<NvptxAtomicrmwOrder> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
