// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/rematerialize_ids.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <map>
#include <utility>

#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

constexpr unsigned kMostInstructions = 10;  // limit on the instructions that compute a value again

// The special register that the instruction reads, or nothing.
const char* special_register(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return nullptr;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return "tid.x";
    case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y:
      return "tid.y";
    case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return "tid.z";
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      return "ntid.x";
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
      return "ntid.y";
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return "ntid.z";
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      return "ctaid.x";
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
      return "ctaid.y";
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
      return "ctaid.z";
    default:
      return nullptr;
  }
}

bool is_cheap(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::GetElementPtr:
      return !instruction.getType()->isVectorTy();
    default:
      return special_register(instruction) != nullptr;
  }
}

class Rematerializer {
 public:
  explicit Rematerializer(llvm::Function& function)
      : function_(function), dominators_(function), loops_(dominators_) {}

  void run() {
    if (loops_.empty()) return;
    for (llvm::BasicBlock& block : function_) {
      if (loops_.getLoopFor(&block) || !dominators_.isReachableFromEntry(&block)) continue;
      made_.clear();
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        // A phi uses its operands in other blocks. Instructions rematerialised in this block precede this one and are not visited.
        if (llvm::isa<llvm::PHINode>(instruction)) continue;
        for (llvm::Use& use : instruction.operands()) {
          auto* value = llvm::dyn_cast<llvm::Instruction>(use.get());
          if (value && is_worth_it(*value, block)) use.set(make_again(*value, block));
        }
      }
    }
  }

 private:
  // How many instructions compute the value, and whether any of them reads an id.
  struct Cost {
    unsigned instructions = 0;
    bool has_id = false, is_possible = true;
  };
  void add_cost(const llvm::Instruction& value, Cost& cost) const {
    ++cost.instructions;
    cost.has_id |= special_register(value) != nullptr;
    cost.is_possible &= is_cheap(value) && cost.instructions <= kMostInstructions;
    if (!cost.is_possible || special_register(value)) return;
    for (const llvm::Value* operand : value.operands())
      if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand)) add_cost(*instruction, cost);
  }

  bool is_worth_it(const llvm::Instruction& value, const llvm::BasicBlock& block) const {
    const llvm::BasicBlock* from = value.getParent();
    if (from == &block || loops_.getLoopFor(from)) return false;
    Cost cost;
    add_cost(value, cost);
    return cost.is_possible && cost.has_id && lies_behind_loop(from, &block);
  }

  // Whether a loop may be executed between the two blocks.
  bool lies_behind_loop(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const {
    for (const llvm::Loop* loop : loops_) {
      const llvm::BasicBlock* header = loop->getHeader();
      if (dominators_.dominates(from, header) &&
          llvm::isPotentiallyReachable(header, to, nullptr, &dominators_, &loops_))
        return true;
    }
    return false;
  }

  llvm::Instruction* make_again(llvm::Instruction& value, llvm::BasicBlock& block) {
    if (const auto known = made_.find(&value); known != made_.end()) return known->second;
    std::vector<llvm::Value*> operands;
    const char* id = special_register(value);
    if (!id) {
      for (llvm::Value* operand : value.operands()) {
        auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand);
        operands.push_back(instruction ? make_again(*instruction, block) : operand);
      }
    }
    llvm::IRBuilder<> builder(&block, place(block));
    llvm::Instruction* made = nullptr;
    if (id) {
      // Inline PTX, so that no later pass merges it with the first read.
      auto* type = llvm::FunctionType::get(builder.getInt32Ty(), false);
      made = builder.CreateCall(
          llvm::InlineAsm::get(type, std::string("mov.u32 \t$0, %") + id + ";", "=r", true));
    } else {
      made = builder.Insert(value.clone());
      for (unsigned i = 0; i < operands.size(); ++i) made->setOperand(i, operands[i]);
    }
    made_[&value] = made;
    last_ = made;
    return made;
  }

  // The place after the instructions already rematerialised in this block.
  llvm::BasicBlock::iterator place(llvm::BasicBlock& block) const {
    if (last_ && last_->getParent() == &block) return std::next(last_->getIterator());
    return block.getFirstInsertionPt();
  }

  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::map<const llvm::Instruction*, llvm::Instruction*> made_;  // in the current block
  llvm::Instruction* last_ = nullptr;
};

}  // namespace

llvm::PreservedAnalyses RematerializeIds::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(kCarriedAddressesAttribute)) return llvm::PreservedAnalyses::all();
  Rematerializer(function).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
