// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/prove_full_masks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/abi/arrivals.h"
#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses ProveFullMasks::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  if (!is_kernel(function)) return llvm::PreservedAnalyses::all();
  const llvm::SmallVector<llvm::IntrinsicInst*> masks = active_masks_in(function);
  if (masks.empty()) return llvm::PreservedAnalyses::all();
  const Arrivals arrivals(function, analyses);
  for (llvm::IntrinsicInst* mask : masks) {
    if (!arrivals.all_come_to(*mask->getParent())) continue;
    mask->replaceAllUsesWith(llvm::ConstantInt::get(mask->getType(), kFullWarp));
    mask->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
