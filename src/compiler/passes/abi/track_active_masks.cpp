// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/track_active_masks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <optional>
#include <utility>

#include "compiler/passes/abi/arrivals.h"
#include "compiler/passes/abi/nest_control_flow.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// The hidden parameter with the mask of the work-items that enter the function; null if it has none.
llvm::Argument* parameter_of_those_that_come(const llvm::Function& function) {
  const unsigned count = function.arg_size();
  const bool has = count > 0 && function.getAttributes().hasParamAttr(count - 1, kActiveMaskAttribute);
  return has ? function.getArg(count - 1) : nullptr;
}

// Computes the masks of the blocks of one function on demand. A mask on which votes are based may be the full one (all 32 lanes); the mask
// returned for a block contains only lanes that exist.
class Masks {
 public:
  Masks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : arrivals_(function, analyses),
        ahead_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        behind_(analyses.getResult<llvm::PostDominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        full_(llvm::ConstantInt::get(llvm::Type::getInt32Ty(function.getContext()), kFullWarp)),
        all_(full_) {
    if (llvm::Argument* told = parameter_of_those_that_come(function)) all_ = told;
  }

  // Whether the mask of the block and all masks on which it is based can be determined. Creates none.
  bool can_know(llvm::BasicBlock& block);
  llvm::Value* of_those_in(llvm::BasicBlock& block) { return existing(known_in(block), block); }

 private:
  // Where the work-items of a block come from: all those of another block, or those that leave that block by one of its successors.
  struct Origin {
    llvm::BasicBlock* block;
    llvm::BasicBlock* successor;  // null: all work-items of `block`
  };
  std::optional<Origin> origin_of(llvm::BasicBlock& block) const;
  std::optional<Origin> along(llvm::BasicBlock& from, llvm::BasicBlock& to) const;
  bool is_left_together(const llvm::Loop& loop) const;
  bool meets_again_at(llvm::BasicBlock& block, llvm::BasicBlock& branch) const;
  const llvm::Loop* loop_of_header(llvm::BasicBlock& block) const;
  bool can_follow(llvm::BasicBlock& block);
  bool can_follow(const std::optional<Origin>& origin) { return origin && can_follow(*origin->block); }
  bool can_follow_turns(llvm::BasicBlock& header, const llvm::Loop& loop);

  llvm::Value* known_in(llvm::BasicBlock& block);
  llvm::Value* known_in_header(llvm::BasicBlock& header, const llvm::Loop& loop);
  llvm::Value* known_from(const Origin& origin);
  llvm::Value* existing(llvm::Value* mask, llvm::BasicBlock& block);
  llvm::Value* vote(llvm::Value* mask, llvm::Value* condition, llvm::IRBuilder<>& at);

  Arrivals arrivals_;
  const llvm::DominatorTree& ahead_;
  const llvm::PostDominatorTree& behind_;
  const llvm::LoopInfo& loops_;
  llvm::ConstantInt* full_;
  llvm::Value* all_;  // mask of the work-items that enter the function
  llvm::DenseMap<llvm::BasicBlock*, bool> can_follow_;
  llvm::SmallPtrSet<llvm::BasicBlock*, 4> lost_headers_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::Value*> known_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::Value*> existing_;
  llvm::DenseMap<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, llvm::Value*> votes_;
};

const llvm::Loop* Masks::loop_of_header(llvm::BasicBlock& block) const {
  const llvm::Loop* loop = loops_.getLoopFor(&block);
  return loop && loop->getHeader() == &block ? loop : nullptr;
}

bool Masks::is_left_together(const llvm::Loop& loop) const {
  llvm::SmallVector<llvm::BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::none_of(exiting, [&](llvm::BasicBlock* block) { return arrivals_.parts(*block); });
}

std::optional<Masks::Origin> Masks::along(llvm::BasicBlock& from, llvm::BasicBlock& to) const {
  if (!arrivals_.parts(from)) return Origin{&from, nullptr};
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
  if (!branch) return std::nullopt;
  return Origin{&from, branch->getSuccessor(0) == branch->getSuccessor(1) ? nullptr : &to};
}

// Whether all work-items that diverge at the branch reach the block, in the same iteration of the enclosing loops.
bool Masks::meets_again_at(llvm::BasicBlock& block, llvm::BasicBlock& branch) const {
  if (!behind_.dominates(&block, &branch)) return false;
  const llvm::Loop* loop = loops_.getLoopFor(&block);
  return !loop || !blocks_behind(branch, &block).contains(loop->getHeader());
}

std::optional<Masks::Origin> Masks::origin_of(llvm::BasicBlock& block) const {
  const auto* node = ahead_.getNode(&block);
  if (!node || !node->getIDom()) return std::nullopt;
  llvm::BasicBlock* before = node->getIDom()->getBlock();
  const llvm::Loop* left = nullptr;
  for (const llvm::Loop* loop = loops_.getLoopFor(before); loop && !loop->contains(&block);
       loop = loop->getParentLoop())
    left = loop;
  if (left) {
    // By then, all work-items that entered the loop have left it.
    llvm::BasicBlock* entry = left->getLoopPreheader();
    if (!entry || !meets_again_at(block, *left->getHeader())) return std::nullopt;
    return Origin{entry, nullptr};
  }
  if (meets_again_at(block, *before)) return Origin{before, nullptr};
  if (block.getSinglePredecessor() == before) return along(*before, block);
  return std::nullopt;
}

bool Masks::can_know(llvm::BasicBlock& block) {
  // While a header is being examined, its own mask is assumed to be known. If that turns out to be false, the search is repeated.
  for (;;) {
    const std::size_t before = lost_headers_.size();
    const bool can = can_follow(block);
    if (lost_headers_.size() == before) return can;
    can_follow_.clear();
  }
}

bool Masks::can_follow(llvm::BasicBlock& block) {
  if (const auto [known, is_new] = can_follow_.try_emplace(&block, true); !is_new) return known->second;
  const llvm::Loop* loop = loop_of_header(block);
  const bool can =
      arrivals_.all_come_to(block) || (loop ? can_follow_turns(block, *loop) : can_follow(origin_of(block)));
  return can_follow_[&block] = can;
}

bool Masks::can_follow_turns(llvm::BasicBlock& header, const llvm::Loop& loop) {
  llvm::BasicBlock* entry = loop.getLoopPreheader();
  llvm::BasicBlock* turn = loop.getLoopLatch();
  const bool can = !lost_headers_.contains(&header) && entry && turn && can_follow(*entry) &&
                   (is_left_together(loop) || can_follow(along(*turn, header)));
  if (!can) lost_headers_.insert(&header);
  return can;
}

llvm::Value* Masks::vote(llvm::Value* mask, llvm::Value* condition, llvm::IRBuilder<>& at) {
  return at.CreateIntrinsic(llvm::Intrinsic::nvvm_vote_ballot_sync, {mask, condition});
}

llvm::Value* Masks::existing(llvm::Value* mask, llvm::BasicBlock& block) {
  if (mask != full_) return mask;
  llvm::Value*& result = existing_[&block];
  if (!result) {
    llvm::IRBuilder<> at(&block, block.getFirstInsertionPt());
    result = vote(mask, at.getTrue(), at);
  }
  return result;
}

llvm::Value* Masks::known_from(const Origin& origin) {
  llvm::Value* mask = known_in(*origin.block);
  if (!origin.successor) return mask;
  llvm::Value*& result = votes_[{origin.block, origin.successor}];
  if (!result) {
    auto* branch = llvm::cast<llvm::BranchInst>(origin.block->getTerminator());
    llvm::IRBuilder<> at(branch);
    llvm::Value* condition = branch->getCondition();
    if (branch->getSuccessor(0) != origin.successor) condition = at.CreateNot(condition);
    result = vote(mask, condition, at);
  }
  return result;
}

llvm::Value* Masks::known_in_header(llvm::BasicBlock& header, const llvm::Loop& loop) {
  llvm::BasicBlock* entry = loop.getLoopPreheader();
  llvm::BasicBlock* turn = loop.getLoopLatch();
  llvm::Value* entering = known_in(*entry);
  if (is_left_together(loop)) return known_[&header] = entering;
  llvm::PHINode* mask = llvm::PHINode::Create(full_->getType(), 2, "", header.begin());
  known_[&header] = mask;
  mask->addIncoming(existing(entering, *entry), entry);
  llvm::Value* turning = known_from(*along(*turn, header));
  mask->addIncoming(existing(turning, *turn), turn);
  return mask;
}

llvm::Value* Masks::known_in(llvm::BasicBlock& block) {
  if (const auto known = known_.find(&block); known != known_.end()) return known->second;
  if (arrivals_.all_come_to(block)) return known_[&block] = all_;
  if (const llvm::Loop* loop = loop_of_header(block)) return known_in_header(block, *loop);
  llvm::Value* mask = known_from(*origin_of(block));
  return known_[&block] = mask;
}

bool carry(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  Masks masks(function, analyses);
  bool all = true;
  for (llvm::IntrinsicInst* asked : active_masks_in(function)) {
    const bool can = masks.can_know(*asked->getParent());
    all &= can;
    if (!can) continue;
    asked->replaceAllUsesWith(masks.of_those_in(*asked->getParent()));
    asked->eraseFromParent();
  }
  return all;
}

// The mask at the entry is known for a kernel, and for a function whose callers pass it.
bool is_known_who_comes_to(const llvm::Function& function) {
  return is_kernel(function) || parameter_of_those_that_come(function);
}

}  // namespace

llvm::PreservedAnalyses TrackActiveMasks::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  if (!is_known_who_comes_to(function) || active_masks_in(function).empty())
    return llvm::PreservedAnalyses::all();
  if (!carry(function, analyses)) {
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    nest_control_flow(function, analyses);
    carry(function, analyses);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
