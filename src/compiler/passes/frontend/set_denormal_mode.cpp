// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/set_denormal_mode.h"

#include "compiler/passes/denormal_mode.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses SetDenormalMode::run(llvm::Function& function, llvm::FunctionAnalysisManager&) const {
  if (!flush_ && has_denormal_mode(function)) return llvm::PreservedAnalyses::all();
  set_denormal_mode(function, flush_);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
