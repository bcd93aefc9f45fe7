// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/prove_masks.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

constexpr std::uint32_t full_warp = 0xffffffff;

llvm::SmallVector<llvm::IntrinsicInst*> masks_in(llvm::Function& function) {
  llvm::SmallVector<llvm::IntrinsicInst*> masks;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == llvm::Intrinsic::nvvm_activemask)
      masks.push_back(call);
  return masks;
}

// Whether the value rests on a volatile load: of one address, too, work-items that run apart may each read another number.
bool may_differ_in_time(llvm::Value* value) {
  llvm::SmallPtrSet<llvm::Value*, 16> seen;
  llvm::SmallVector<llvm::Value*> open{value};
  while (!open.empty()) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    if (instruction->isVolatile() || instruction->isAtomic()) return true;
    open.append(instruction->op_begin(), instruction->op_end());
  }
  return false;
}

// A branch parts work-items, or may.
bool parts(llvm::BasicBlock& block, llvm::UniformityInfo& uniformity) {
  llvm::Instruction* terminator = block.getTerminator();
  if (terminator->getNumSuccessors() < 2) return false;
  return uniformity.hasDivergentTerminator(block) || may_differ_in_time(terminator->getOperand(0));
}

// Whether all work-items of a sub-group come to the block together: from no branch that parts them does a way lead there that does not
// go through where they meet again.
bool is_reached_by_all(llvm::BasicBlock& block, llvm::ArrayRef<llvm::BasicBlock*> parting,
                       const llvm::PostDominatorTree& behind, const llvm::DominatorTree& ahead) {
  return llvm::all_of(parting, [&](llvm::BasicBlock* branch) {
    const auto* meeting = behind.getNode(branch) ? behind.getNode(branch)->getIDom() : nullptr;
    llvm::SmallPtrSet<llvm::BasicBlock*, 1> meeting_block;
    if (meeting && meeting->getBlock()) meeting_block.insert(meeting->getBlock());
    if (meeting_block.contains(&block)) return true;
    llvm::SmallVector<llvm::BasicBlock*> ways(llvm::successors(branch));
    return !llvm::isPotentiallyReachableFromMany(ways, &block, &meeting_block, &ahead);
  });
}

}  // namespace

void inline_mask_functions(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || is_kernel(function) || masks_in(function).empty()) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

llvm::PreservedAnalyses ProveMasks::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!is_kernel(function)) return llvm::PreservedAnalyses::all();
  const llvm::SmallVector<llvm::IntrinsicInst*> masks = masks_in(function);
  if (masks.empty()) return llvm::PreservedAnalyses::all();
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  const auto& behind = analyses.getResult<llvm::PostDominatorTreeAnalysis>(function);
  const auto& ahead = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  llvm::SmallVector<llvm::BasicBlock*> parting;
  for (llvm::BasicBlock& block : function)
    if (parts(block, uniformity)) parting.push_back(&block);
  for (llvm::IntrinsicInst* mask : masks) {
    if (!is_reached_by_all(*mask->getParent(), parting, behind, ahead)) continue;
    mask->replaceAllUsesWith(llvm::ConstantInt::get(mask->getType(), full_warp));
    mask->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
