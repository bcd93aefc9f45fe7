// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/flatten_remainders.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/passes/optimize/loop_shapes.h"

namespace clcuda::compiler {
namespace {

// At most the remainder after unrolling by eight. A larger body would need more registers than the loop itself.
constexpr unsigned kMostTurns = 7, kMostInstructions = 24;

using Values = llvm::DenseMap<llvm::Value*, llvm::Value*>;

// A loop of one block whose iterations can be executed again: it only reads memory and counts, and only values that it carries from
// iteration to iteration change.
class Remainder {
 public:
  Remainder(llvm::Loop& loop, llvm::ScalarEvolution& evolution)
      : loop_(loop), evolution_(evolution), block_(*loop.getHeader()) {}

  bool can_be_flattened() {
    if (!loop_.isInnermost() || loop_.getNumBlocks() != 1 || !loop_.getLoopPredecessor() ||
        !loop_.getExitBlock() || block_.sizeWithoutDebug() > kMostInstructions || !chains_loads(loop_))
      return false;
    turns_ = evolution_.getSmallConstantMaxTripCount(&loop_);
    if (turns_ < 2 || turns_ > kMostTurns || evolution_.getSmallConstantTripCount(&loop_) ||
        !evolution_.hasLoopInvariantBackedgeTakenCount(&loop_))
      return false;
    for (llvm::PHINode& phi : block_.phis())
      if (!step_of(phi)) depend(phi);
    return llvm::all_of(block_, [&](llvm::Instruction& each) { return is_repeatable(each); });
  }

  void flatten() {
    llvm::BasicBlock* before = loop_.getLoopPredecessor();
    llvm::SmallVector<llvm::Instruction*> body;
    for (llvm::Instruction& each : block_)
      if (!llvm::isa<llvm::PHINode>(each) && !each.isTerminator()) body.push_back(&each);
    const llvm::SCEV* past_first = evolution_.getBackedgeTakenCount(&loop_);
    llvm::SCEVExpander expander(evolution_, "remainder");
    llvm::Value* last = expander.expandCodeFor(past_first, past_first->getType(), block_.getTerminator());
    llvm::IRBuilder<> builder(block_.getTerminator());
    Values now;
    for (llvm::PHINode& phi : block_.phis()) now[&phi] = phi.getIncomingValueForBlock(before);
    for (unsigned turn = 0; turn < turns_; ++turn) add_turn(builder, turn, *last, body, now);
    take_place(body, now);
  }

 private:
  std::optional<llvm::APInt> step_of(llvm::PHINode& phi) const {
    if (!evolution_.isSCEVable(phi.getType())) return std::nullopt;
    const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&phi));
    const auto* step = recurrence && recurrence->getLoop() == &loop_ && recurrence->isAffine()
                           ? llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getOperand(1))
                           : nullptr;
    return step ? std::optional(step->getAPInt()) : std::nullopt;
  }

  // Marks all values in the loop that are computed from a carried value.
  void depend(llvm::Value& value) {
    if (!carried_.insert(&value).second) return;
    for (llvm::User* user : value.users()) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (instruction && loop_.contains(instruction)) depend(*instruction);
    }
  }

  // An iteration beyond the last one uses the last one's addresses and counters, but its carried values are those after the last one.
  bool is_repeatable(llvm::Instruction& each) const {
    if (each.isTerminator()) return !carried_.contains(&each);
    if (llvm::isa<llvm::PHINode>(each)) return !leaves(each);
    if (each.mayHaveSideEffects() || each.getType()->isTokenTy()) return false;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&each))
      return load->isSimple() && !carried_.contains(load);
    if (llvm::isa<llvm::CallBase>(each) && !llvm::isa<llvm::IntrinsicInst>(each)) return false;
    if (!carried_.contains(&each)) return !each.mayReadFromMemory();
    return llvm::isSafeToSpeculativelyExecute(&each) && (!leaves(each) || is_carried_on(each));
  }

  bool leaves(const llvm::Instruction& each) const {
    return llvm::any_of(each.users(), [&](const llvm::User* user) {
      return !loop_.contains(llvm::cast<llvm::Instruction>(user));
    });
  }
  bool is_carried_on(const llvm::Instruction& each) const {
    return llvm::any_of(block_.phis(), [&](const llvm::PHINode& phi) {
      return phi.getIncomingValueForBlock(&block_) == &each;
    });
  }

  void add_turn(llvm::IRBuilder<>& builder, unsigned turn, llvm::Value& last,
                llvm::ArrayRef<llvm::Instruction*> body, Values& now) {
    llvm::Value* is_there = nullptr;
    if (turn > 0) {
      llvm::Value* number = llvm::ConstantInt::get(last.getType(), turn);
      is_there = builder.CreateICmpULE(number, &last);
      llvm::Value* clamped = builder.CreateSelect(is_there, number, &last);
      for (llvm::PHINode& phi : block_.phis())
        if (const auto step = step_of(phi)) now[&phi] = value_at(builder, phi, *step, *clamped);
    }
    for (llvm::Instruction* each : body) {
      llvm::Instruction* copy = each->clone();
      builder.Insert(copy, each->getName());
      for (llvm::Use& operand : copy->operands())
        if (const auto found = now.find(operand.get()); found != now.end()) operand.set(found->second);
      now[each] = copy;
    }
    llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>> carried;
    for (llvm::PHINode& phi : block_.phis()) {
      if (step_of(phi)) continue;
      llvm::Value* next = phi.getIncomingValueForBlock(&block_);
      if (const auto found = now.find(next); found != now.end()) next = found->second;
      carried.emplace_back(&phi, is_there ? builder.CreateSelect(is_there, next, now[&phi]) : next);
    }
    for (const auto& [phi, value] : carried) now[phi] = value;
  }

  llvm::Value* value_at(llvm::IRBuilder<>& builder, llvm::PHINode& phi, const llvm::APInt& step,
                        llvm::Value& turn) const {
    llvm::Value* start = phi.getIncomingValueForBlock(loop_.getLoopPredecessor());
    llvm::Type* type = builder.getIntNTy(step.getBitWidth());
    llvm::Value* distance =
        builder.CreateMul(builder.CreateZExtOrTrunc(&turn, type), llvm::ConstantInt::get(type, step));
    return phi.getType()->isPointerTy() ? builder.CreatePtrAdd(start, distance)
                                        : builder.CreateAdd(start, distance);
  }

  // After the loop, values are those of the last copy of the body; carried values are those of the select after it.
  void take_place(llvm::ArrayRef<llvm::Instruction*> body, Values& now) {
    for (llvm::PHINode& phi : block_.phis()) {
      auto* next = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(&block_));
      if (!step_of(phi) && next && carried_.contains(next) && !llvm::isa<llvm::PHINode>(next))
        now[next] = now[&phi];
    }
    for (llvm::Instruction* each : body) each->replaceUsesOutsideBlock(now[each], &block_);
    llvm::BasicBlock* behind = loop_.getExitBlock();
    llvm::Instruction* end = block_.getTerminator();
    llvm::IRBuilder<>(end).CreateBr(behind);
    evolution_.forgetLoop(&loop_);
    end->eraseFromParent();
    for (llvm::Instruction* each : llvm::reverse(body)) {
      each->replaceAllUsesWith(llvm::PoisonValue::get(each->getType()));
      each->eraseFromParent();
    }
    for (llvm::PHINode& phi : llvm::make_early_inc_range(block_.phis())) {
      phi.replaceAllUsesWith(llvm::PoisonValue::get(phi.getType()));
      phi.eraseFromParent();
    }
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  llvm::BasicBlock& block_;
  unsigned turns_ = 0;
  llvm::SmallPtrSet<const llvm::Value*, 16> carried_;
};

}  // namespace

llvm::PreservedAnalyses FlattenRemainders::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::SmallVector<Remainder, 2> found;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    Remainder remainder(*loop, evolution);
    if (remainder.can_be_flattened()) found.push_back(std::move(remainder));
  }
  for (Remainder& remainder : found) remainder.flatten();
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
