// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/nvptx_unreachable_default.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clcuda::compiler {
namespace {

bool has_no_default(const llvm::SwitchInst& choice) {
  return choice.getNumCases() > 0 &&
         llvm::isa<llvm::UnreachableInst>(*choice.getDefaultDest()->getFirstNonPHIOrDbg());
}

// Makes the highest case the default: the remaining cases are still consecutive, as a jump table requires.
void settle_default(llvm::SwitchInst& choice) {
  auto highest = choice.case_begin();
  for (auto each = highest; each != choice.case_end(); ++each)
    if (each->getCaseValue()->getValue().ugt(highest->getCaseValue()->getValue())) highest = each;
  choice.getDefaultDest()->removePredecessor(choice.getParent());
  choice.setDefaultDest(highest->getCaseSuccessor());
  llvm::SwitchInstProfUpdateWrapper(choice).removeCase(highest);
}

}  // namespace

llvm::PreservedAnalyses NvptxUnreachableDefault::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    if (!choice || !has_no_default(*choice)) continue;
    settle_default(*choice);
    changed = true;
  }
  if (changed) llvm::removeUnreachableBlocks(function);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
