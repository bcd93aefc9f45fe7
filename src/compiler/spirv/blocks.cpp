// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/blocks.h"

#include <llvm/IR/CFG.h>

#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {

void Blocks::create(const std::vector<Instruction>& body) {
  for (const Instruction& instruction : body) {
    if (instruction.op() != Op::Label) continue;
    auto* block = llvm::BasicBlock::Create(function_.getContext(), "", &function_);
    starts_[instruction.result()] = block;
    order_[block] = order_.size();
  }
}

llvm::BasicBlock* Blocks::at(std::uint32_t label) const {
  const auto entry = starts_.find(label);
  if (entry == starts_.end()) refuse("%" + std::to_string(label) + " is no label of the function");
  return entry->second;
}

void Blocks::begin(std::uint32_t label) {
  require(!open_, "the block before has no terminator");
  open_ = label;
  builder_.SetInsertPoint(at(label));
}

void Blocks::end() {
  llvm::BasicBlock* block = builder_.GetInsertBlock();
  ends_[open_] = block;
  order_.try_emplace(block, order_.at(at(open_)));
  open_ = 0;
  builder_.ClearInsertionPoint();
}

llvm::BasicBlock* Blocks::end_of(std::uint32_t label) const {
  const auto entry = ends_.find(label);
  if (entry == ends_.end()) refuse("%" + std::to_string(label) + " is no label of the function");
  return entry->second;
}

void Blocks::set_loop(llvm::MDNode* hints) { loops_.push_back({at(open_), hints}); }

void Blocks::complete() {
  require(!open_, "the last block has no terminator");
  for (const Loop& loop : loops_) complete_loop(loop);
}

// Back-edges come from blocks at or after the header: in a module, a block follows those that dominate it.
void Blocks::complete_loop(const Loop& loop) {
  for (llvm::BasicBlock* block : llvm::predecessors(loop.header)) {
    const auto place = order_.find(block);
    if (place != order_.end() && place->second >= order_.at(loop.header))
      block->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, loop.hints);
  }
}

}  // namespace clcuda::compiler::spirv
