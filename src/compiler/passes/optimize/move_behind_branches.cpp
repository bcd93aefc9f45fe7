// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/move_behind_branches.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/optimize/branch_groups.h"
#include "compiler/passes/preserved_analyses.h"

namespace clcuda::compiler {
namespace {

bool is_costly(const llvm::Instruction* instruction) {
  return llvm::isa<llvm::LoadInst>(instruction) || instruction->isIntDivRem();
}

bool is_chosen_at_start(const llvm::Instruction* result, const llvm::BasicBlock& target) {
  return llvm::any_of(result->users(), [&](const llvm::User* user) {
    return llvm::isa<llvm::PHINode>(user) && llvm::cast<llvm::Instruction>(user)->getParent() == &target;
  });
}

bool is_to_move(const BranchGroups::Group& group, const llvm::BasicBlock& block) {
  return !group.takes_more_registers_behind && group.target->getSinglePredecessor() == &block &&
         llvm::any_of(group.members, is_costly) &&
         llvm::none_of(group.results, [&](const llvm::Instruction* result) {
           return is_chosen_at_start(result, *group.target);
         });
}

}  // namespace

llvm::PreservedAnalyses MoveBehindBranches::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager& analyses) {
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    const BranchGroups groups(block, dominators, BranchGroups::Loads::move);
    for (const BranchGroups::Group& group : llvm::reverse(groups.all())) {
      if (!is_to_move(group, block)) continue;
      for (llvm::Instruction* member : llvm::reverse(group.members))
        member->moveBefore(*group.target, group.target->getFirstInsertionPt());
      changed = true;
    }
  }
  return control_flow_preserved(changed);
}

}  // namespace clcuda::compiler
