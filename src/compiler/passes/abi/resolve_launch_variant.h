// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// __clcuda_uniform_launch() becomes a constant. The launch record becomes a plain value that can be moved,
// merged and dropped, and loads straight from it invariant: it does not change while a kernel runs. Does
// nothing in programs that call neither function.
class ResolveLaunchVariant : public llvm::PassInfoMixin<ResolveLaunchVariant> {
 public:
  explicit ResolveLaunchVariant(Variant variant) : variant_(variant) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Variant variant_;
};

}  // namespace clcuda::compiler
