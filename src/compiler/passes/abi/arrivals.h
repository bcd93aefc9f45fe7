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

// All to which a way leads from the end of the block, but not through `except`. (LLVM's own search answers yes behind 32 blocks.)
Blocks blocks_behind(llvm::BasicBlock& block, const llvm::BasicBlock* except);

// Which blocks of a kernel all work-items of a sub-group reach together, as its control flow shows.
class Arrivals {
 public:
  Arrivals(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

  // Whether the branch at the end of the block parts work-items, or may.
  bool parts(llvm::BasicBlock& block) const;
  // From no branch that parts them does a way lead to the block that does not go through where they meet again.
  bool all_come_to(llvm::BasicBlock& block) const { return !reached_apart_.contains(&block); }

 private:
  llvm::UniformityInfo& uniformity_;
  Blocks reached_apart_;
};

// The calls of `activemask` in the function.
llvm::SmallVector<llvm::IntrinsicInst*> active_masks_in(llvm::Function& function);

constexpr std::uint32_t kFullWarp = 0xffffffff;

}  // namespace clcuda::compiler
