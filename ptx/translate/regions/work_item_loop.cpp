// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/regions/work_item_loop.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <optional>

#include "ptx/abi/block.h"
#include "ptx/translate/optimization_budget.h"

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

// All iterations of the loop would share a remaining alloca.
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

// Puts all accesses of the item into an access group, which loops over the item can declare parallel.
llvm::MDNode* group_accesses(llvm::Function& item) {
  llvm::MDNode* group = llvm::MDNode::getDistinct(item.getContext(), {});
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (instruction.mayReadOrWriteMemory())
      instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
  return group;
}

// Loop metadata with one property, `name`.
llvm::MDNode* loop_with(llvm::LLVMContext& context, const char* name, llvm::Metadata* value) {
  llvm::Metadata* parts[] = {nullptr,
                             llvm::MDNode::get(context, {llvm::MDString::get(context, name), value})};
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, parts);
  loop->replaceOperandWith(0, loop);
  return loop;
}

constexpr unsigned kMostInstructionsTwice = 400;

// A compiler that knows the block's width w, a power of two, may have turned the sum of w · ctaid and x into an `or`. LLVM recognises that
// as a sum, and the addresses as consecutive, only if x is known to be below w. Returns the number of low bits to which x must be limited
// so that every such `or` is a sum; nothing if there is no such `or`.
std::optional<unsigned> low_bits_for_x(llvm::Function& item) {
  std::optional<unsigned> bits;
  for (const llvm::User* user : item.getArg(1)->users()) {
    const auto* both = llvm::dyn_cast<llvm::BinaryOperator>(user);
    if (!both || both->getOpcode() != llvm::Instruction::Or) continue;
    const llvm::Value* other = both->getOperand(both->getOperand(0) == item.getArg(1) ? 1 : 0);
    const unsigned zeros = llvm::computeKnownBits(other, item.getDataLayout()).countMinTrailingZeros();
    if (zeros >= 2) bits = std::min(bits.value_or(zeros), zeros);
  }
  if (!bits || *bits >= 31 || item.getInstructionCount() > kMostInstructionsTwice) return std::nullopt;
  return bits;
}

// Makes the function that runs an item in loops over its row and column.
class LoopMaker {
 public:
  LoopMaker(llvm::Function& item, const std::string& name) : item_(item), builder_(item.getContext()) {
    llvm::Type* word = builder_.getInt32Ty();
    auto* type =
        llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy(), word, word, word, word}, false);
    loop_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, item.getParent());
    // The block can be read at any time, so its fields may be loaded before the loop.
    loop_->addParamAttr(0, llvm::Attribute::NoAlias);
    loop_->addParamAttr(0, llvm::Attribute::getWithAlignment(item.getContext(), llvm::Align(alignof(Block))));
    loop_->addDereferenceableParamAttr(0, sizeof(Block));
    loop_->setDoesNotThrow();
  }

  void leave_unoptimized() {
    loop_->addFnAttr(llvm::Attribute::OptimizeNone);
    loop_->addFnAttr(llvm::Attribute::NoInline);  // required by optnone
  }

  void run(bool vectorize) {
    llvm::Value *x_begin = loop_->getArg(3), *x_end = loop_->getArg(4);
    auto *entry = make_block("entry"), *done = make_block("done");
    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(entry);
    width_ = size(0);
    height_ = size(1);
    // Counted in 64 bits from 0, so that LLVM can determine the number of iterations; there is at least one.
    turns_ = builder_.CreateZExt(builder_.CreateSub(x_end, x_begin), builder_.getInt64Ty());
    first_y_ = builder_.CreateURem(loop_->getArg(1), height_);
    first_z_ = builder_.CreateUDiv(loop_->getArg(1), height_);
    auto& context = item_.getContext();
    llvm::Metadata* off = llvm::ConstantAsMetadata::get(builder_.getFalse());
    if (!vectorize)
      return make_rows(done, loop_with(context, "llvm.loop.vectorize.enable", off), std::nullopt);
    if (!is_parallel(item_)) return make_rows(done, nullptr, std::nullopt);
    llvm::MDNode* parallel = loop_with(context, "llvm.loop.parallel_accesses", group_accesses(item_));
    const std::optional<unsigned> bits = low_bits_for_x(item_);
    if (!bits) return make_rows(done, parallel, std::nullopt);
    auto *low = make_block("low"), *any = make_block("any");
    builder_.CreateCondBr(builder_.CreateICmpULE(x_end, builder_.getInt32(1u << *bits)), low, any);
    builder_.SetInsertPoint(low);
    make_rows(done, parallel, bits);
    builder_.SetInsertPoint(any);
    make_rows(done, loop_with(context, "llvm.loop.vectorize.enable", off), std::nullopt);
  }

 private:
  llvm::BasicBlock* make_block(const char* label) {
    return llvm::BasicBlock::Create(item_.getContext(), label, loop_);
  }

  llvm::Value* size(unsigned axis) {
    llvm::Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), loop_->getArg(0),
                                                             offsetof(Block, block_size) + 4 * axis);
    auto* load = builder_.CreateLoad(builder_.getInt32Ty(), place);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(item_.getContext(), {}));
    return load;
  }

  // Emits the loops over all rows from the current block on, followed by `done`. `x_bits`: the number of low bits that x may have.
  void make_rows(llvm::BasicBlock* done, llvm::MDNode* description, std::optional<unsigned> x_bits) {
    llvm::Type* word = builder_.getInt32Ty();
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    auto *rows = make_block("rows"), *columns = make_block("columns"), *row_done = make_block("row_done");
    builder_.CreateBr(rows);

    builder_.SetInsertPoint(rows);
    auto *row = builder_.CreatePHI(word, 2), *y = builder_.CreatePHI(word, 2),
         *z = builder_.CreatePHI(word, 2);
    row->addIncoming(loop_->getArg(1), before);
    y->addIncoming(first_y_, before);
    z->addIncoming(first_z_, before);
    llvm::Value* first = builder_.CreateMul(row, width_, "", true, true);
    builder_.CreateBr(columns);

    builder_.SetInsertPoint(columns);
    auto* turn = builder_.CreatePHI(builder_.getInt64Ty(), 2);
    turn->addIncoming(builder_.getInt64(0), rows);
    llvm::Value* x = builder_.CreateAdd(loop_->getArg(3), builder_.CreateTrunc(turn, word), "", true, true);
    if (x_bits) builder_.CreateAssumption(builder_.CreateICmpULT(x, builder_.getInt32(1u << *x_bits)));
    llvm::Value* number = builder_.CreateAdd(first, x, "", true, true);
    auto* call = builder_.CreateCall(&item_, {loop_->getArg(0), x, y, z, number});
    call->addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::Value* next_turn = builder_.CreateAdd(turn, builder_.getInt64(1), "", true, true);
    turn->addIncoming(next_turn, columns);
    auto* back = builder_.CreateCondBr(builder_.CreateICmpNE(next_turn, turns_), columns, row_done);
    if (description) back->setMetadata(llvm::LLVMContext::MD_loop, description);

    builder_.SetInsertPoint(row_done);
    llvm::Value* next_row = builder_.CreateAdd(row, builder_.getInt32(1), "", true, true);
    row->addIncoming(next_row, row_done);
    llvm::Value* next_y = builder_.CreateAdd(y, builder_.getInt32(1), "", true, true);
    llvm::Value* wraps = builder_.CreateICmpEQ(next_y, height_);
    y->addIncoming(builder_.CreateSelect(wraps, builder_.getInt32(0), next_y), row_done);
    z->addIncoming(builder_.CreateAdd(z, builder_.CreateZExt(wraps, word), "", true, true), row_done);
    builder_.CreateCondBr(builder_.CreateICmpULT(next_row, loop_->getArg(2)), rows, done);
  }

  llvm::Function& item_;
  llvm::IRBuilder<> builder_;
  llvm::Function* loop_ = nullptr;
  llvm::Value *width_ = nullptr, *height_ = nullptr, *turns_ = nullptr, *first_y_ = nullptr,
              *first_z_ = nullptr;
};

}  // namespace

void make_work_item_loop(llvm::Function& item, const std::string& name, std::span<const Wait> waits) {
  promote_allocas(item);
  LoopMaker maker(item, name);
  if (!is_worth_optimizing(item, waits)) maker.leave_unoptimized();
  maker.run(is_worth_vectorizing(item, waits));
}

}  // namespace clcuda::ptx
