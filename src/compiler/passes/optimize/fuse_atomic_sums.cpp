// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/fuse_atomic_sums.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <string>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/denormal_mode.h"
#include "compiler/passes/optimize/adding_loops.h"

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

// From here on, subnormal numbers have no effect on a sum (builtins/atomics_floating.cl says why).
constexpr double kLeastExact = 0x1p-100;

enum class Exact { always, never, for_large_operands };

bool is_least_exact(const llvm::APFloat& number) { return number.convertToDouble() == kLeastExact; }

// Whether the loop is what is left for small operands, of this pass or of the library.
bool is_for_small_operands(const AddingLoop& loop) {
  const auto tests = [&](const llvm::BasicBlock* block) {
    const auto* branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block ? block->getTerminator() : nullptr);
    const llvm::APFloat* bound = nullptr;
    return branch && branch->isConditional() &&
           match(branch->getCondition(), m_FCmp(m_FAbs(m_Specific(loop.operand)), m_APFloat(bound))) &&
           is_least_exact(*bound);
  };
  return tests(loop.before) || tests(loop.before->getSinglePredecessor());
}

bool is_local(const AddingLoop& loop) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(loop.exchange.instruction);
  if (!call) return loop.exchange.address->getType()->getPointerAddressSpace() == kLocalSpace;
  return llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString().contains(".shared.");
}

Exact exactness(const AddingLoop& loop) {
  if (loop.sum->getType()->isDoubleTy() || is_local(loop) || flushes_denormals(*loop.block->getParent()))
    return Exact::always;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(loop.operand))
    return llvm::abs(constant->getValueAPF()).convertToDouble() >= kLeastExact ? Exact::always : Exact::never;
  return is_for_small_operands(loop) ? Exact::never : Exact::for_large_operands;
}

// Replaces the loop by blocks around it:
//
//   before    →  before.sum: br (is large), sum, retry    sum: atomicrmw, br after.sum
//   loop         retry, loop                              after.sum: phis of what both compute
//   exit         exit
class Fusion {
 public:
  explicit Fusion(const AddingLoop& loop)
      : loop_(loop),
        start_(new_block("before.sum", *loop.block)),
        add_(new_block("sum", *loop.block)),
        retry_(new_block("retry", *loop.block)),
        end_(new_block("after.sum", *loop.exit)) {
    put_between(*start_, *loop.before, *loop.block);
    put_between(*retry_, *start_, *loop.block);
    put_between(*end_, *loop.block, *loop.exit);
  }

  void run(Exact exact) {
    const auto first = first_look();
    if (exact == Exact::for_large_operands) choose();
    add();
    merge_results();
    if (exact == Exact::for_large_operands) {
      for (llvm::Instruction* instruction : first) instruction->moveBefore(*retry_, retry_->begin());
      return;
    }
    start_->getTerminator()->setSuccessor(0, add_);
    llvm::DeleteDeadBlocks({retry_, loop_.block});
    llvm::MergeBlockIntoPredecessor(add_);
    for (llvm::Instruction* instruction : first) instruction->eraseFromParent();
  }

 private:
  static llvm::BasicBlock* new_block(const char* name, llvm::BasicBlock& next) {
    return llvm::BasicBlock::Create(next.getContext(), name, next.getParent(), &next);
  }

  static void put_between(llvm::BasicBlock& block, llvm::BasicBlock& predecessor,
                          llvm::BasicBlock& successor) {
    predecessor.getTerminator()->replaceSuccessorWith(&successor, &block);
    llvm::BranchInst::Create(&successor, &block);
    successor.replacePhiUsesWith(&predecessor, &block);
  }

  // The load ahead of the loop that only its first attempt uses, behind what takes its bits: an addition needs neither.
  llvm::SmallVector<llvm::Instruction*> first_look() const {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(loop_.old);
    llvm::SmallVector<llvm::Instruction*> found;
    llvm::Value* value = phi ? phi->getIncomingValueForBlock(retry_) : nullptr;
    while (auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value)) {
      if (!instruction->hasOneUse()) break;
      found.push_back(instruction);
      if (reads(instruction, loop_.exchange)) return found;
      value = llvm::isa<llvm::BitCastInst>(instruction) ? instruction->getOperand(0) : nullptr;
    }
    return {};
  }

  void choose() {
    llvm::IRBuilder<> builder(start_->getTerminator());
    if (!llvm::isGuaranteedNotToBeUndefOrPoison(loop_.operand)) {
      llvm::Value* frozen = builder.CreateFreeze(loop_.operand);
      loop_.sum->replaceUsesOfWith(loop_.operand, frozen);
      loop_.operand = frozen;
    }
    llvm::Value* magnitude = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, loop_.operand);
    llvm::Value* is_large =
        builder.CreateFCmpOGE(magnitude, llvm::ConstantFP::get(magnitude->getType(), kLeastExact));
    builder.CreateCondBr(is_large, add_, retry_,
                         llvm::MDBuilder(builder.getContext()).createLikelyBranchWeights());
    start_->getTerminator()->eraseFromParent();
  }

  // Computes what the loop does, from the value that the addition finds.
  void add() {
    llvm::IRBuilder<> builder(add_);
    llvm::Instruction* exchange = loop_.exchange.instruction;
    builder.SetCurrentDebugLocation(exchange->getDebugLoc());
    const auto copy_fences = [&](auto from, auto to) {
      for (llvm::Instruction& instruction : llvm::make_range(from, to))
        if (is_fence(instruction)) builder.Insert(instruction.clone());
    };
    copy_fences(loop_.block->begin(), exchange->getIterator());
    llvm::Value* operand = loop_.subtracts ? builder.CreateFNeg(loop_.operand) : loop_.operand;
    set_old(*addition(builder, operand), builder);
    copy_fences(exchange->getIterator(), loop_.block->end());
    for (llvm::Instruction& instruction : *loop_.block) {
      if (results_.count(&instruction) || &instruction == exchange || is_fence(instruction) ||
          instruction.isTerminator())
        continue;
      llvm::Instruction* copy = builder.Insert(instruction.clone());
      llvm::RemapInstruction(copy, results_, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      results_[&instruction] = copy;
    }
    builder.CreateBr(end_);
  }

  llvm::Value* addition(llvm::IRBuilder<>& builder, llvm::Value* operand) const {
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(loop_.exchange.instruction)) {
      auto* sum = builder.CreateAtomicRMW(llvm::AtomicRMWInst::FAdd, exchange->getPointerOperand(), operand,
                                          exchange->getAlign(), exchange->getMergedOrdering(),
                                          exchange->getSyncScopeID());
      sum->setVolatile(exchange->isVolatile());
      return sum;
    }
    auto* call = llvm::cast<llvm::CallInst>(loop_.exchange.instruction);
    const auto* text = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    const bool is_float = operand->getType()->isFloatTy();
    const std::string start = text->getAsmString().split(".cas.").first.str();
    llvm::Value* address = call->getArgOperand(0);
    auto* type = llvm::FunctionType::get(operand->getType(), {address->getType(), operand->getType()}, false);
    auto* assembly =
        llvm::InlineAsm::get(type, start + (is_float ? ".add.f32" : ".add.f64") + " $0, [$1], $2;",
                             is_float ? "=f,l,f,~{memory}" : "=d,l,d,~{memory}", true);
    auto* sum = builder.CreateCall(assembly, {address, operand});
    for (const llvm::Attribute attribute : call->getAttributes().getFnAttrs()) sum->addFnAttr(attribute);
    return sum;
  }

  // What the loop loads and what its exchange finds are the old value.
  void set_old(llvm::Value& old, llvm::IRBuilder<>& builder) {
    const auto set = [&](llvm::Value& value) {
      results_[&value] = builder.CreateBitCast(&old, value.getType());
    };
    llvm::Instruction& exchange = *loop_.exchange.instruction;
    for (llvm::Instruction& instruction : *loop_.block)
      if (&instruction == loop_.old || reads(&instruction, loop_.exchange)) set(instruction);
    if (llvm::isa<llvm::CallInst>(exchange)) return set(exchange);
    for (llvm::User* part : exchange.users()) {
      if (part->getType()->isIntegerTy(1))
        results_[part] = builder.getTrue();
      else
        set(*part);
    }
  }

  void merge_results() {
    for (llvm::Instruction& result : *loop_.block) {
      const auto is_outside = [&](const llvm::Use& use) {
        return llvm::cast<llvm::Instruction>(use.getUser())->getParent() != loop_.block;
      };
      if (llvm::none_of(result.uses(), is_outside)) continue;
      auto* merged = llvm::PHINode::Create(result.getType(), 2, "", end_->begin());
      result.replaceUsesWithIf(merged, [&](llvm::Use& use) { return is_outside(use); });
      merged->addIncoming(&result, loop_.block);
      merged->addIncoming(results_[&result], add_);
    }
  }

  AddingLoop loop_;
  llvm::BasicBlock *start_, *add_, *retry_, *end_;
  llvm::ValueToValueMapTy results_;  // what each instruction of the loop computes, in the block that adds
};

}  // namespace

llvm::PreservedAnalyses FuseAtomicSums::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock& block : function)
    if (adding_loop(block)) blocks.push_back(&block);
  bool changed = false;
  for (llvm::BasicBlock* block : blocks) {
    const AddingLoop loop = *adding_loop(*block);
    const Exact exact = exactness(loop);
    if (exact == Exact::never) continue;
    Fusion(loop).run(exact);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
