// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/nest_control_flow.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Scalar/StructurizeCFG.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>
#include <llvm/Transforms/Utils/UnifyLoopExits.h>

namespace clcuda::compiler {
namespace {

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;

// The blocks from which a return can be reached.
Blocks blocks_that_return(llvm::Function& function) {
  Blocks found;
  llvm::SmallVector<llvm::BasicBlock*> open;
  for (llvm::BasicBlock& block : function)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) open.push_back(&block);
  while (!open.empty()) {
    llvm::BasicBlock* next = open.pop_back_val();
    if (found.insert(next).second) llvm::append_range(open, llvm::predecessors(next));
  }
  return found;
}

// The last block in reverse post-order from which no return can be reached. It is part of a loop: all its successors come before it.
llvm::BasicBlock* endless_block(llvm::Function& function) {
  const Blocks returning = blocks_that_return(function);
  llvm::BasicBlock* last = nullptr;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    if (!returning.contains(block)) last = block;
  return last;
}

llvm::BasicBlock* add_return(llvm::Function& function) {
  auto* block = llvm::BasicBlock::Create(function.getContext(), "never", &function);
  llvm::IRBuilder<> builder(block);
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(llvm::PoisonValue::get(function.getReturnType()));
  return block;
}

// Gives each block a path to a return, if need be one that is never taken: the passes that unify control flow ignore blocks without such a
// path.
void lead_to_returns(llvm::Function& function) {
  llvm::BasicBlock* end = nullptr;
  const auto never = [&] { return end ? end : end = add_return(function); };
  llvm::SmallVector<llvm::UnreachableInst*> ends;
  for (llvm::BasicBlock& block : function)
    if (auto* unreachable = llvm::dyn_cast<llvm::UnreachableInst>(block.getTerminator()))
      ends.push_back(unreachable);
  for (llvm::UnreachableInst* unreachable : ends) {
    llvm::IRBuilder<>(unreachable).CreateBr(never());
    unreachable->eraseFromParent();
  }
  while (llvm::BasicBlock* block = endless_block(function)) {
    llvm::BasicBlock* rest = block->splitBasicBlock(block->getTerminator()->getIterator());
    block->getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(block);
    builder.CreateCondBr(builder.getTrue(), rest, never());
  }
}

// Not by a pass manager, which leaves out the passes that LLVM calls optional when optimisation has taken too long.
template <class Pass>
void run(Pass pass, llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  analyses.invalidate(function, pass.run(function, analyses));
}

}  // namespace

void nest_control_flow(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  // LowerSwitch finds unreachable cases, whose blocks lose all predecessors.
  llvm::LowerSwitchPass().run(function, analyses);
  llvm::removeUnreachableBlocks(function);
  lead_to_returns(function);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  run(llvm::UnifyFunctionExitNodesPass(), function, analyses);
  run(llvm::FixIrreduciblePass(), function, analyses);
  run(llvm::LoopSimplifyPass(), function, analyses);
  run(llvm::UnifyLoopExitsPass(), function, analyses);
  run(llvm::StructurizeCFGPass(), function, analyses);
  run(llvm::LoopSimplifyPass(), function, analyses);
}

}  // namespace clcuda::compiler
