// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/add_mustprogress.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace clcuda::compiler {
namespace {

// Inline PTX that is not volatile, such as a texture fetch, always returns.
void assume_return(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto* text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
    if (text && !text->hasSideEffects()) call->addFnAttr(llvm::Attribute::WillReturn);
  }
}

}  // namespace

llvm::PreservedAnalyses AddMustprogress::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  assume_return(function);
  if (function.mustProgress()) return llvm::PreservedAnalyses::none();
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    if (!loop->hasNoExitBlocks()) llvm::addStringMetadataToLoop(loop, "llvm.loop.mustprogress", true);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
