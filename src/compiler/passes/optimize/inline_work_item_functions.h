// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Inlines small functions that read ids of work-items or groups, and those that call them, so that the reads are in the kernels, for which
// AnnotateIdRanges knows tighter ranges.
//
//   %x = call i32 @next_id()    →  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x();  %x = add i32 %id, 1
//
// Does nothing to functions of more than 128 instructions, or more than 1024 with those of the functions that are inlined into them, and to
// noinline ones.
struct InlineWorkItemFunctions : llvm::PassInfoMixin<InlineWorkItemFunctions> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
