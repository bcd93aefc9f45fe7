// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/adding_loops.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <utility>

#include "compiler/passes/optimize/branch_groups.h"

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

const llvm::InlineAsm* assembly_of(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  return call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
}

// Inline assembly takes addresses as integers.
llvm::Value* pointer_of(llvm::Value* address) {
  llvm::Value* pointer = nullptr;
  return match(address, m_PtrToInt(m_Value(pointer))) ? pointer : address;
}

std::optional<Exchange> exchange_by(llvm::Instruction& instruction) {
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    if (exchange->isWeak()) return std::nullopt;
    return Exchange{exchange, exchange->getPointerOperand(), exchange->getCompareOperand(),
                    exchange->getNewValOperand()};
  }
  const llvm::InlineAsm* text = assembly_of(&instruction);
  if (!text || !text->getAsmString().starts_with("atom.") ||
      !(text->getAsmString().ends_with(".cas.b32 $0, [$1], $2, $3;") ||
        text->getAsmString().ends_with(".cas.b64 $0, [$1], $2, $3;")))
    return std::nullopt;
  auto& call = llvm::cast<llvm::CallInst>(instruction);
  return Exchange{&call, pointer_of(call.getArgOperand(0)), call.getArgOperand(1), call.getArgOperand(2)};
}

// What an exchange finds in memory.
bool is_found(llvm::Value* value, const Exchange& exchange) {
  value = source_of_bits(value);
  return llvm::isa<llvm::CallInst>(exchange.instruction)
             ? value == exchange.instruction
             : match(value, m_ExtractValue<0>(m_Specific(exchange.instruction)));
}

// Whether the loop's last branch leaves it exactly if the exchange succeeded.
bool leaves_on_success(const AddingLoop& loop, const llvm::BranchInst& branch) {
  const bool on_true = branch.getSuccessor(0) == loop.exit;
  llvm::Value* condition = branch.getCondition();
  if (match(condition, m_ExtractValue<1>(m_Specific(loop.exchange.instruction)))) return on_true;
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!comparison || !comparison->isEquality()) return false;
  llvm::Value *one = comparison->getOperand(0), *other = comparison->getOperand(1);
  if (!is_found(one, loop.exchange)) std::swap(one, other);
  return is_found(one, loop.exchange) && source_of_bits(other) == loop.old &&
         on_true == (comparison->getPredicate() == llvm::ICmpInst::ICMP_EQ);
}

// What the next attempt expects; null if each loads it first.
llvm::Value* next_value(const AddingLoop& loop) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(loop.old);
  return phi ? phi->getIncomingValueForBlock(loop.block) : nullptr;
}

// A load behind the exchange, from which only the next attempt gets its value.
bool reads_for_next(llvm::Instruction& instruction, const AddingLoop& loop) {
  llvm::Value* next = next_value(loop);
  return next && source_of_bits(next) == &instruction && next->hasOneUse() && instruction.hasOneUse() &&
         loop.exchange.instruction->comesBefore(&instruction) && reads(&instruction, loop.exchange);
}

// Whether each attempt expects what was in memory after the one before.
bool looks_again(const AddingLoop& loop) {
  llvm::Value* next = next_value(loop);
  if (!next) return reads(loop.old, loop.exchange);
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(source_of_bits(next));
  return is_found(next, loop.exchange) ||
         (instruction && instruction->getParent() == loop.block && reads_for_next(*instruction, loop));
}

bool is_harmless(llvm::Instruction& instruction, const AddingLoop& loop) {
  if (llvm::isa<llvm::PHINode>(instruction)) return &instruction == loop.old;
  if (reads(&instruction, loop.exchange))
    return &instruction == loop.old || reads_for_next(instruction, loop);
  if (&instruction == loop.exchange.instruction || instruction.isTerminator() || is_fence(instruction))
    return true;
  return only_computes(instruction);
}

// Of the pair that LLVM's instruction returns, only the parts can be replaced.
bool is_used_in_parts(const llvm::Instruction& exchange) {
  return llvm::isa<llvm::CallInst>(exchange) || llvm::all_of(exchange.users(), [&](const llvm::User* user) {
           const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
           return part && part->getParent() == exchange.getParent();
         });
}

bool match_sum(AddingLoop& loop) {
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(source_of_bits(loop.exchange.desired));
  if (!sum || sum->getParent() != loop.block ||
      !(sum->getType()->isFloatTy() || sum->getType()->isDoubleTy()))
    return false;
  llvm::Value *old = sum->getOperand(0), *operand = sum->getOperand(1);
  loop.subtracts = sum->getOpcode() == llvm::Instruction::FSub;
  if (!loop.subtracts && sum->getOpcode() != llvm::Instruction::FAdd) return false;
  if (!loop.subtracts && source_of_bits(old) != loop.old) std::swap(old, operand);
  const auto* computed = llvm::dyn_cast<llvm::Instruction>(operand);
  loop.sum = sum;
  loop.operand = operand;
  return source_of_bits(old) == loop.old && !(computed && computed->getParent() == loop.block);
}

bool match_shape(AddingLoop& loop, llvm::BranchInst& branch) {
  for (llvm::BasicBlock* successor : branch.successors())
    if (successor != loop.block) loop.exit = successor;
  for (llvm::BasicBlock* predecessor : llvm::predecessors(loop.block)) {
    if (predecessor == loop.block) continue;
    if (loop.before || !llvm::isa<llvm::BranchInst>(predecessor->getTerminator())) return false;
    loop.before = predecessor;
  }
  return loop.exit && loop.before && llvm::is_contained(branch.successors(), loop.block);
}

bool match_exchange(AddingLoop& loop) {
  for (llvm::Instruction& instruction : *loop.block) {
    const auto exchange = exchange_by(instruction);
    if (!exchange) continue;
    if (loop.exchange.instruction) return false;
    loop.exchange = *exchange;
  }
  if (!loop.exchange.instruction || !is_used_in_parts(*loop.exchange.instruction)) return false;
  loop.old = llvm::dyn_cast<llvm::Instruction>(source_of_bits(loop.exchange.expected));
  return loop.old && loop.old->getParent() == loop.block;
}

}  // namespace

llvm::Value* source_of_bits(llvm::Value* value) {
  while (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value)) value = cast->getOperand(0);
  return value;
}

bool is_fence(const llvm::Instruction& instruction) {
  const llvm::InlineAsm* text = assembly_of(&instruction);
  return llvm::isa<llvm::FenceInst>(instruction) || (text && text->getAsmString().starts_with("fence."));
}

bool reads(llvm::Value* value, const Exchange& exchange) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
    return load->getPointerOperand() == exchange.address && !llvm::isAcquireOrStronger(load->getOrdering());
  const llvm::InlineAsm* text = assembly_of(value);
  return text && text->getAsmString().starts_with("ld.relaxed.") &&
         text->getAsmString().ends_with(" $0, [$1];") &&
         pointer_of(llvm::cast<llvm::CallInst>(value)->getArgOperand(0)) == exchange.address;
}

std::optional<AddingLoop> adding_loop(llvm::BasicBlock& block) {
  AddingLoop loop{.block = &block};
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || !match_shape(loop, *branch) || !match_exchange(loop) ||
      !match_sum(loop) || !leaves_on_success(loop, *branch) || !looks_again(loop) ||
      !llvm::all_of(block, [&](llvm::Instruction& instruction) { return is_harmless(instruction, loop); }))
    return std::nullopt;
  return loop;
}

}  // namespace clcuda::compiler
