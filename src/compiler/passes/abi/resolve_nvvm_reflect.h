// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// Answers libdevice's questions about how to compute: __CUDA_FTZ (1 if all kernels flush denormals), __CUDA_ARCH (900 for sm_90),
// __CUDA_PREC_DIV and __CUDA_PREC_SQRT (1). Other names are answered by 0. Does nothing in modules that do not call __nvvm_reflect.
//
//   %a = call i32 @__nvvm_reflect(ptr @ftz)    →  i32 0
class ResolveNvvmReflect : public llvm::PassInfoMixin<ResolveNvvmReflect> {
 public:
  explicit ResolveNvvmReflect(const Target& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Target target_;
};

}  // namespace clcuda::compiler
