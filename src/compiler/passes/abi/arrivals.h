// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class IntrinsicInst;
}

namespace clcuda::compiler {

using Blocks = llvm::SmallPtrSet<llvm::BasicBlock*, 16>;

// The blocks that control flow can reach from the end of `block` without passing through `except` (which may be null). Searches the whole
// function: llvm::isPotentiallyReachable gives up after 32 blocks and answers yes.
Blocks blocks_behind(llvm::BasicBlock& block, const llvm::BasicBlock* except);

// Tells which blocks of a function all work-items of a sub-group that enter it reach together. A block does not qualify if a divergent
// branch can reach it without passing through the branch's immediate post-dominator:
//
//   entry:  br i1 %divergent, label %one, label %end     parts(entry) is true
//   one:    br label %end                                all_come_to(one) is false
//   end:    ret void                                     all_come_to(end) is true
//
// Keeps a reference to the uniformity analysis, which must stay valid. Used by ProveFullMasks and TrackActiveMasks.
class Arrivals {
 public:
  Arrivals(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

  // True if the work-items of a sub-group may leave the block by different successors: its condition is divergent, or rests on a volatile
  // or atomic access, whose value may change from one work-item's read to the next one's.
  bool parts(llvm::BasicBlock& block) const;
  // True if no divergent branch can reach the block without passing through the branch's immediate post-dominator.
  bool all_come_to(llvm::BasicBlock& block) const { return !reached_apart_.contains(&block); }

 private:
  llvm::UniformityInfo& uniformity_;
  Blocks reached_apart_;
};

// The calls of llvm.nvvm.activemask in the function.
llvm::SmallVector<llvm::IntrinsicInst*> active_masks_in(llvm::Function& function);

// The mask of all 32 lanes, as the .sync instructions take it.
constexpr std::uint32_t kFullWarp = 0xffffffff;

}  // namespace clcuda::compiler
