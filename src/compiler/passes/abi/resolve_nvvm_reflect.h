// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// libdevice asks __nvvm_reflect how to compute: whether denormals are flushed, and for which architecture.
// The answers become constants; what is not known is answered by 0. Does nothing in modules that do not ask.
class ResolveNvvmReflect : public llvm::PassInfoMixin<ResolveNvvmReflect> {
 public:
  explicit ResolveNvvmReflect(const Target& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Target target_;
};

}  // namespace clcuda::compiler
