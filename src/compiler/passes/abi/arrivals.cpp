// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/arrivals.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace clcuda::compiler {
namespace {

// Whether the value depends on a volatile or atomic access. Work-items that run apart may then read different values even from one address.
bool may_differ_in_time(llvm::Value* value) {
  llvm::SmallPtrSet<llvm::Value*, 16> seen;
  llvm::SmallVector<llvm::Value*> open{value};
  while (!open.empty()) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    if (instruction->isVolatile() || instruction->isAtomic()) return true;
    open.append(instruction->op_begin(), instruction->op_end());
  }
  return false;
}

}  // namespace

Blocks blocks_behind(llvm::BasicBlock& block, const llvm::BasicBlock* except) {
  Blocks found;
  llvm::SmallVector<llvm::BasicBlock*> open(llvm::successors(&block));
  while (!open.empty()) {
    llvm::BasicBlock* next = open.pop_back_val();
    if (next != except && found.insert(next).second) llvm::append_range(open, llvm::successors(next));
  }
  return found;
}

Arrivals::Arrivals(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
    : uniformity_(analyses.getResult<llvm::UniformityInfoAnalysis>(function)) {
  const auto& behind = analyses.getResult<llvm::PostDominatorTreeAnalysis>(function);
  for (llvm::BasicBlock& block : function) {
    if (!parts(block)) continue;
    const auto* node = behind.getNode(&block);
    const auto* meeting = node ? node->getIDom() : nullptr;
    reached_apart_.insert_range(blocks_behind(block, meeting ? meeting->getBlock() : nullptr));
  }
}

bool Arrivals::parts(llvm::BasicBlock& block) const {
  llvm::Instruction* terminator = block.getTerminator();
  if (terminator->getNumSuccessors() < 2) return false;
  return uniformity_.hasDivergentTerminator(block) || may_differ_in_time(terminator->getOperand(0));
}

llvm::SmallVector<llvm::IntrinsicInst*> active_masks_in(llvm::Function& function) {
  llvm::SmallVector<llvm::IntrinsicInst*> masks;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == llvm::Intrinsic::nvvm_activemask)
      masks.push_back(call);
  return masks;
}

}  // namespace clcuda::compiler
