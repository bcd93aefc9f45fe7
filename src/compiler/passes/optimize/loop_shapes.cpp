// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/loop_shapes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace clcuda::compiler {
namespace {

bool comes_from_load(const llvm::Value* value, const llvm::Loop& loop, unsigned depth = 4) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !loop.contains(instruction) || llvm::isa<llvm::PHINode>(instruction) || depth == 0)
    return false;
  if (llvm::isa<llvm::LoadInst>(instruction)) return true;
  return llvm::any_of(instruction->operands(),
                      [&](const llvm::Value* operand) { return comes_from_load(operand, loop, depth - 1); });
}

}  // namespace

bool has_own_wish(const llvm::Loop& loop) {
  return llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified ||
         llvm::hasDisableAllTransformsHint(&loop);
}

unsigned size_of(const llvm::Loop& loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) count += unsigned(block->sizeWithoutDebug());
  return count;
}

bool is_fetch(const llvm::CallBase& call) {
  return call.isInlineAsm() && !call.isConvergent() && !call.mayHaveSideEffects();
}

bool chains_loads(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        if (comes_from_load(load->getPointerOperand(), loop)) return true;
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && is_fetch(*call))
        if (llvm::any_of(call->args(), [&](const llvm::Value* at) { return comes_from_load(at, loop); }))
          return true;
    }
  return false;
}

}  // namespace clcuda::compiler
