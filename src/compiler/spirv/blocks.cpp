// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/blocks.h"

#include <llvm/IR/CFG.h>

#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {

void Blocks::create(const std::vector<Instruction>& body) {
  for (const Instruction& instruction : body) {
    if (instruction.op() != Op::Label) continue;
    auto* block = llvm::BasicBlock::Create(reader_.context(), "", &reader_.function());
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
  reader_.builder().SetInsertPoint(at(label));
}

void Blocks::end() {
  llvm::BasicBlock* block = reader_.builder().GetInsertBlock();
  ends_[open_] = block;
  order_.try_emplace(block, order_.at(at(open_)));
  open_ = 0;
  reader_.builder().ClearInsertionPoint();
}

void Blocks::add_phi(const Instruction& instruction) {
  auto& builder = reader_.builder();
  const llvm::BasicBlock* block = builder.GetInsertBlock();
  require(block == at(open_) && block->getFirstNonPHIIt() == block->end(),
          "it stands behind other instructions");
  require(instruction.size() % 2 == 0, "an operand is missing");
  const Type& type = reader_.type(instruction.type());
  require(type.value && type.value->isFirstClassType(), "there are no values of its type");
  llvm::PHINode* node = builder.CreatePHI(type.value, static_cast<unsigned>(instruction.size() / 2));
  phis_.push_back({instruction, node});
  reader_.define(instruction, node);
}

void Blocks::set_loop(llvm::MDNode* hints) { loops_.push_back({at(open_), hints}); }

void Blocks::complete() {
  require(!open_, "the last block has no terminator");
  for (const Phi& phi : phis_) at_instruction(phi.instruction, [&] { complete_phi(phi); });
  for (const Loop& loop : loops_) complete_loop(loop);
}

// One value for each edge: LLVM wants several where a switch comes from one block by several cases.
void Blocks::complete_phi(const Phi& phi) {
  std::unordered_map<const llvm::BasicBlock*, llvm::Value*> incoming;
  for (std::size_t i = 0; i < phi.instruction.size(); i += 2) {
    llvm::Value* value = reader_.value(phi.instruction[i]);
    require(value->getType() == phi.node->getType(), "a value has another type");
    const auto end = ends_.find(phi.instruction[i + 1]);
    require(end != ends_.end(), "a parent is no label of the function");
    incoming[end->second] = value;
  }
  for (llvm::BasicBlock* block : llvm::predecessors(phi.node->getParent())) {
    const auto value = incoming.find(block);
    require(value != incoming.end(), "a predecessor of its block has no value in it");
    phi.node->addIncoming(value->second, block);
  }
}

// The back-edges are those from blocks further down: a block stands behind those that dominate it.
void Blocks::complete_loop(const Loop& loop) {
  for (llvm::BasicBlock* block : llvm::predecessors(loop.header)) {
    const auto place = order_.find(block);
    if (place != order_.end() && place->second >= order_.at(loop.header))
      block->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, loop.hints);
  }
}

}  // namespace clcuda::compiler::spirv
