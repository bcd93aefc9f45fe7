// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Copies and fills of constant size become loads and stores of words, as long as the alignment allows (at most 4 bytes; LLVM then merges
// adjacent ones). Beyond 512 bytes they are in a loop of 16 words an iteration:
//
//   call void @llvm.memcpy.p0.p1.i64(ptr align 4 %to, ptr addrspace(1) align 8 %from, i64 8, i1 false)
//       →  two loads of i32, two stores of i32
//
// LLVM would copy more than 128 bytes by a loop over bytes. Does nothing to copies of variable size, to volatile ones, and to memmove of
// more than 16 words.
struct ExpandMemcpy : llvm::PassInfoMixin<ExpandMemcpy> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
