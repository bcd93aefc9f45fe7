// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Replaces the masks that ProveFullMasks leaves. Where work-items of a sub-group diverge, those present vote on the side that each takes,
// and the mask of a side is the result of the vote, carried to the block that needs it:
//
//   br i1 %c, label %one, label %other    →  %mask = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)
//   one:                                     br i1 %c, label %one, label %other
//     … @llvm.nvvm.activemask()           →  … %mask
//
// `activemask` instead tells which lanes the hardware happens to run together, which need not be all that have taken the same path. In a
// kernel all work-items are present at the beginning; in a function those of the parameter that PassActiveMasks has added. Where control
// flow is not structured (a block behind either of two conditions, a loop with several exits) the mask of a block cannot be determined;
// such functions are made so first (nest_control_flow.h). Does nothing to functions without `activemask`, and to those that
// PassActiveMasks could not give a parameter.
struct TrackActiveMasks : llvm::PassInfoMixin<TrackActiveMasks> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
