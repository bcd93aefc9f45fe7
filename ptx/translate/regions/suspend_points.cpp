// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/regions/suspend_points.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <unordered_set>

#include "ptx/abi/block.h"
#include "ptx/translate/markers.h"

namespace clcuda::ptx {
namespace {

bool observes_others(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) return true;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && (load->isVolatile() || load->isAtomic());
}

// Whether a value inside the loop depends on what other items do. Phis and the branches that select their entries are followed too: a flag
// that is set under a condition depends on the condition.
bool depends_on_others(llvm::Value* value, const llvm::Loop& loop) {
  std::vector<llvm::Value*> open{value};
  std::unordered_set<llvm::Value*> seen;
  while (!open.empty()) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(open.back());
    open.pop_back();
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (observes_others(*instruction)) return true;
    for (llvm::Value* operand : instruction->operands()) open.push_back(operand);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      for (llvm::BasicBlock* from : phi->blocks())
        if (loop.contains(from))
          if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
              branch && branch->isConditional())
            open.push_back(branch->getCondition());
  }
  return false;
}

bool waits_for_others(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.empty()) return true;  // an endless loop must not keep other items from running
  for (llvm::BasicBlock* block : exiting) {
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()))
      if (branch->isConditional() && depends_on_others(branch->getCondition(), loop)) return true;
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator()))
      if (depends_on_others(choice->getCondition(), loop)) return true;
  }
  return false;
}

}  // namespace

void insert_suspend_points(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  std::vector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>> edges;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!waits_for_others(*loop)) continue;
    llvm::SmallVector<llvm::BasicBlock*, 4> latches;
    loop->getLoopLatches(latches);
    for (llvm::BasicBlock* latch : latches) edges.emplace_back(latch, loop->getHeader());
  }
  llvm::IRBuilder<> builder(function.getContext());
  llvm::Type* wide = builder.getInt64Ty();
  for (const auto& [latch, header] : edges) {
    llvm::BasicBlock* turn = llvm::SplitEdge(latch, header);
    std::vector<llvm::Type*> types{builder.getInt32Ty()};
    std::vector<llvm::Value*> operands{builder.getInt32(static_cast<std::uint32_t>(Wait::yield))};
    types.insert(types.end(), kWaitOperands, wide);
    operands.insert(operands.end(), kWaitOperands, builder.getInt64(0));
    auto marker = function.getParent()->getOrInsertFunction(kSuspendMarker,
                                                            llvm::FunctionType::get(wide, types, false));
    builder.SetInsertPoint(turn->getTerminator());
    builder.CreateCall(marker, operands);
  }
}

}  // namespace clcuda::ptx
