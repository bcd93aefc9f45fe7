// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/regions/liveness.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clcuda::ptx {
namespace {

// For each value, walks from its uses up to its definition: it is live at the start of the blocks on the way. Only values with a use in
// another block, or by a phi, need this; they are few.
class Liveness {
 public:
  explicit Liveness(const std::vector<llvm::BasicBlock*>& blocks) : result_(blocks.size()) {
    for (std::size_t i = 0; i < blocks.size(); ++i) wanted_[blocks[i]] = i;
  }

  void add(llvm::Instruction& value) {
    seen_.clear();
    open_.clear();
    for (llvm::Use& use : value.uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
        alive_at_end(value, phi->getIncomingBlock(use));
      else if (user->getParent() != value.getParent())
        alive_at_start(user->getParent());
    }
    while (!open_.empty()) {
      llvm::BasicBlock* block = open_.back();
      open_.pop_back();
      if (const auto found = wanted_.find(block); found != wanted_.end())
        result_[found->second].push_back(&value);
      for (llvm::BasicBlock* before : llvm::predecessors(block)) alive_at_end(value, before);
    }
  }

  std::vector<std::vector<llvm::Instruction*>> take() { return std::move(result_); }

 private:
  void alive_at_end(llvm::Instruction& value, llvm::BasicBlock* block) {
    if (block != value.getParent()) alive_at_start(block);
  }
  void alive_at_start(llvm::BasicBlock* block) {
    if (seen_.insert(block).second) open_.push_back(block);
  }

  llvm::DenseMap<llvm::BasicBlock*, std::size_t> wanted_;
  std::vector<std::vector<llvm::Instruction*>> result_;
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> seen_;
  std::vector<llvm::BasicBlock*> open_;
};

}  // namespace

std::vector<std::vector<llvm::Instruction*>> values_alive_at(llvm::Function& function,
                                                             const std::vector<llvm::BasicBlock*>& blocks) {
  Liveness liveness(blocks);
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (!instruction.use_empty()) liveness.add(instruction);
  return liveness.take();
}

}  // namespace clcuda::ptx
