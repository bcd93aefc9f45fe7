// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/set_denormal_mode.h"

#include "compiler/passes/denormal_mode.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses SetDenormalMode::run(llvm::Function& function, llvm::FunctionAnalysisManager&) const {
  const bool flush = flush_ && !function.hasFnAttribute(kKeepsDenormalsAttribute);
  if (!flush && has_denormal_mode(function)) return llvm::PreservedAnalyses::all();
  set_denormal_mode(function, flush);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
