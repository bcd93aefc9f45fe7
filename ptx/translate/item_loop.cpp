// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/item_loop.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "ptx/execute/block.h"

namespace clcuda::ptx {
namespace {

void promote_allocas(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> allocas;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* made = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (llvm::isAllocaPromotable(made)) allocas.push_back(made);
  if (allocas.empty()) return;
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(allocas, dominators);
}

// An alloca left over is one piece of memory that all turns of the loop use.
bool is_parallel(llvm::Function& item) {
  for (llvm::Instruction& instruction : llvm::instructions(item)) {
    if (llvm::isa<llvm::AllocaInst, llvm::FenceInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(
            instruction))
      return false;
    if (instruction.isVolatile() || instruction.isAtomic()) return false;
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (call->mayReadOrWriteMemory()) return false;
  }
  return true;
}

llvm::MDNode* parallel_loop(llvm::Function& item) {
  auto& context = item.getContext();
  llvm::MDNode* group = llvm::MDNode::getDistinct(context, {});
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (instruction.mayReadOrWriteMemory())
      instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
  llvm::Metadata* parts[] = {
      nullptr,
      llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group})};
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, parts);
  loop->replaceOperandWith(0, loop);
  return loop;
}

}  // namespace

void make_item_loop(llvm::Function& item, const std::string& name) {
  promote_allocas(item);
  auto& context = item.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type* word = builder.getInt32Ty();
  auto* type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), word, word, word, word}, false);
  auto* loop = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, item.getParent());
  // That the block can be read at any time lets its fields be read before the loop.
  loop->addParamAttr(0, llvm::Attribute::NoAlias);
  loop->addParamAttr(0, llvm::Attribute::getWithAlignment(context, llvm::Align(alignof(Block))));
  loop->addDereferenceableParamAttr(0, sizeof(Block));
  loop->setDoesNotThrow();
  llvm::Value *block = loop->getArg(0), *row_end = loop->getArg(2), *x_begin = loop->getArg(3),
              *x_end = loop->getArg(4);
  const auto make_block = [&](const char* label) { return llvm::BasicBlock::Create(context, label, loop); };
  auto *entry = make_block("entry"), *rows = make_block("rows"), *columns = make_block("columns");
  auto *row_done = make_block("row_done"), *done = make_block("done");

  builder.SetInsertPoint(entry);
  const auto size = [&](unsigned axis) {
    llvm::Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block,
                                                            offsetof(Block, block_size) + 4 * axis);
    auto* load = builder.CreateLoad(word, place);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
    return load;
  };
  llvm::Value *width = size(0), *height = size(1);
  // Counted in 64 bits from 0, which leaves no doubt about the number of turns; there is at least one.
  llvm::Value* turns = builder.CreateZExt(builder.CreateSub(x_end, x_begin), builder.getInt64Ty());
  builder.CreateBr(rows);

  builder.SetInsertPoint(rows);
  auto* row = builder.CreatePHI(word, 2);
  row->addIncoming(loop->getArg(1), entry);
  llvm::Value* y = builder.CreateURem(row, height);
  llvm::Value* z = builder.CreateUDiv(row, height);
  llvm::Value* first = builder.CreateMul(row, width, "", true, true);
  builder.CreateBr(columns);

  builder.SetInsertPoint(columns);
  auto* turn = builder.CreatePHI(builder.getInt64Ty(), 2);
  turn->addIncoming(builder.getInt64(0), rows);
  llvm::Value* x = builder.CreateAdd(x_begin, builder.CreateTrunc(turn, word), "", true, true);
  llvm::Value* number = builder.CreateAdd(first, x, "", true, true);
  auto* call = builder.CreateCall(&item, {block, x, y, z, number});
  call->addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::Value* next_turn = builder.CreateAdd(turn, builder.getInt64(1), "", true, true);
  turn->addIncoming(next_turn, columns);
  auto* back = builder.CreateCondBr(builder.CreateICmpNE(next_turn, turns), columns, row_done);
  if (is_parallel(item)) back->setMetadata(llvm::LLVMContext::MD_loop, parallel_loop(item));

  builder.SetInsertPoint(row_done);
  llvm::Value* next_row = builder.CreateAdd(row, builder.getInt32(1), "", true, true);
  row->addIncoming(next_row, row_done);
  builder.CreateCondBr(builder.CreateICmpULT(next_row, row_end), rows, done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
}

}  // namespace clcuda::ptx
