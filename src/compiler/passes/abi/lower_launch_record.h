// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// The launch record becomes a hidden last parameter of the kernels that use it, and of the functions through
// which they do; kernels of blocks always have it. Throws Refusal where the address of such a function is
// taken. Does nothing in modules without the record.
struct LowerLaunchRecord : llvm::PassInfoMixin<LowerLaunchRecord> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
