// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Local variables beyond what static shared memory holds go to the front of dynamic shared memory; the
// kernel's attribute `kStaticLocalAttribute` then says how much. Those of 16 bytes and more are aligned to
// 16. Moves nothing in programs all of whose kernels stay below 44 KB.
struct PlaceLocalVariables : llvm::PassInfoMixin<PlaceLocalVariables> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
