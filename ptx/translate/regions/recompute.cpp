// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/regions/recompute.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clcuda::ptx {
namespace {

constexpr unsigned kMostInstructions = 12;

// The number of instructions that recompute `value`; more than the limit if it cannot be recomputed.
unsigned cost(llvm::Value& value, unsigned depth) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return llvm::isa<llvm::Argument, llvm::Constant>(value) ? 0 : kMostInstructions + 1;
  if (depth > kMostInstructions) return kMostInstructions + 1;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
    if (!load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return kMostInstructions + 1;
  } else if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst,
                        llvm::SelectInst, llvm::FreezeInst, llvm::MinMaxIntrinsic>(instruction)) {
    return kMostInstructions + 1;
  }
  if (instruction->isIntDivRem()) return kMostInstructions + 1;
  unsigned sum = 1;
  for (llvm::Value* operand : instruction->operands()) {
    if (llvm::isa<llvm::Function>(operand)) continue;
    sum += cost(*operand, depth + 1);
    if (sum > kMostInstructions) break;
  }
  return sum;
}

}  // namespace

bool can_recompute(llvm::Instruction& value) { return cost(value, 0) <= kMostInstructions; }

llvm::Value* Recomputation::of(llvm::Value& value) {
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(&value)) return into_.getArg(argument->getArgNo());
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return &value;
  if (const auto found = done_.find(&value); found != done_.end()) return found->second;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
    if (const auto place = places_.find(load->getPointerOperand()); place != places_.end())
      return of(*place->second);
  llvm::Instruction* copy = instruction->clone();
  for (llvm::Use& operand : copy->operands()) operand.set(of(*operand.get()));
  builder_.Insert(copy);
  done_[&value] = copy;
  return copy;
}

}  // namespace clcuda::ptx
