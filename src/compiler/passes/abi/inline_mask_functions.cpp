// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/inline_mask_functions.h"

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/abi/arrivals.h"
#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses InlineMaskFunctions::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (is_kernel(function) || active_masks_in(function).empty()) return llvm::PreservedAnalyses::all();
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
