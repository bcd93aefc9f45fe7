// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Where a branch can be replaced by computing both sides and choosing, LLVM does so if that takes a few
// operations. ptxas can do it too, and knows better what it costs: in libdevice, this leaves it to ptxas.
// Functions of libdevice may also be inlined where they are called once. (After ResolveNvvmReflect.) Does
// nothing to other functions.
struct KeepLibdeviceBranches : llvm::PassInfoMixin<KeepLibdeviceBranches> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
