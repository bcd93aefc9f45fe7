// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/reuse_counter_at_exit.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace clcuda::compiler {
namespace {

// An exit of a loop, from `block` to `exit`, that is taken when a counter reaches its bound and is tested in every iteration.
class CountedEnd {
 public:
  CountedEnd(const llvm::Loop& loop, llvm::BasicBlock& block, llvm::BasicBlock& exit,
             llvm::ScalarEvolution& evolution, const llvm::DominatorTree& dominators)
      : block_(block), exit_(exit) {
    if (!loop.getLoopLatch() || !dominators.dominates(&block, loop.getLoopLatch())) return;
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    auto* test =
        branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!test || !test->isEquality() || !test->hasOneUse()) return;
    const bool ends_when_equal =
        (test->getPredicate() == llvm::ICmpInst::ICMP_EQ) == (branch->getSuccessor(0) == &exit);
    if (ends_when_equal && counts_up_to(*test, loop, evolution)) test_ = test;
  }

  // Changes the equality comparison to one of order: from an equality, value numbering would conclude that the counter is the bound and use
  // the bound again.
  bool keep_counter() {
    if (!test_ || !replace_bound()) return false;
    test_->setPredicate(test_->getPredicate() == llvm::ICmpInst::ICMP_EQ ? llvm::ICmpInst::ICMP_UGE
                                                                         : llvm::ICmpInst::ICMP_ULT);
    return true;
  }

 private:
  // Whether `test` compares the counter's next value with a bound that the counter starts below.
  bool counts_up_to(llvm::ICmpInst& test, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
    auto* next = llvm::dyn_cast<llvm::BinaryOperator>(test.getOperand(0));
    if (!next || !loop.isLoopInvariant(test.getOperand(1)) || !evolution.isSCEVable(next->getType()))
      return false;
    counter_ = next->getOperand(0);
    const auto* counts = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(counter_));
    return counts && counts->getLoop() == &loop && counts->isAffine() && counts->getOperand(1)->isOne() &&
           evolution.getSCEV(next) == counts->getPostIncExpr(evolution) &&
           evolution.isLoopEntryGuardedByCond(&loop, llvm::ICmpInst::ICMP_ULT, counts->getStart(),
                                              evolution.getSCEV(test.getOperand(1)));
  }

  bool replace_bound() {
    bool is_replaced = false;
    for (llvm::PHINode& phi : exit_.phis()) {
      const int index = phi.getBasicBlockIndex(&block_);
      if (phi.getIncomingValue(unsigned(index)) != test_->getOperand(1) ||
          !llvm::is_contained(phi.incoming_values(), counter_))
        continue;
      phi.setIncomingValue(unsigned(index), test_->getOperand(0));
      is_replaced = true;
    }
    return is_replaced;
  }

  llvm::BasicBlock &block_, &exit_;
  llvm::ICmpInst* test_ = nullptr;
  llvm::Value* counter_ = nullptr;
};

}  // namespace

llvm::PreservedAnalyses ReuseCounterAtExit::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool is_changed = false;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>> exits;
    loop->getExitEdges(exits);
    for (const auto& [block, exit] : exits)
      is_changed |= CountedEnd(*loop, *block, *exit, evolution, dominators).keep_counter();
  }
  return is_changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
