// SPDX-License-Identifier: Apache-2.0
// Loops that can be left are left, or do something that others see: what C11 and C++ say of loops and C99, of which OpenCL C is made, does
// not. A loop in strides then has a number of turns, by which it can be unrolled. (Loops that cannot be left stay.)
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

// As asm that is not volatile does, such as a texture fetch.
void assume_return(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto* text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
    if (text && !text->hasSideEffects()) call->addFnAttr(llvm::Attribute::WillReturn);
  }
}

}  // namespace

void assume_progress(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    assume_return(function);
    if (function.mustProgress()) continue;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder())
      if (!loop->hasNoExitBlocks()) llvm::addStringMetadataToLoop(loop, "llvm.loop.mustprogress", true);
  }
}

}  // namespace clcuda::compiler
