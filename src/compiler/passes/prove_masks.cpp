// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/prove_masks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/arrivals.h"
#include "compiler/passes/passes.h"

namespace clcuda::compiler {

void inline_mask_functions(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || is_kernel(function) || active_masks_in(function).empty()) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

llvm::PreservedAnalyses ProveMasks::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!is_kernel(function)) return llvm::PreservedAnalyses::all();
  const llvm::SmallVector<llvm::IntrinsicInst*> masks = active_masks_in(function);
  if (masks.empty()) return llvm::PreservedAnalyses::all();
  const Arrivals arrivals(function, analyses);
  for (llvm::IntrinsicInst* mask : masks) {
    if (!arrivals.all_come_to(*mask->getParent())) continue;
    mask->replaceAllUsesWith(llvm::ConstantInt::get(mask->getType(), full_warp));
    mask->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
