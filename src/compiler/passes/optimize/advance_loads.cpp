// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/advance_loads.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/optimize/loop_shapes.h"
#include "compiler/passes/preserved_analyses.h"

namespace clcuda::compiler {
namespace {

// What the loads that are moved may occupy together. More would cost more in resident work-groups than it saves in waiting.
constexpr std::uint64_t kMostBits = 16ULL * 32;

bool is_global_load(const llvm::Instruction& each) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&each);
  return load && load->isSimple() && load->getPointerAddressSpace() == kGlobalSpace;
}

// In registers, of which a narrow value occupies a whole one.
std::uint64_t bits_of(const llvm::Instruction& load) {
  return llvm::alignTo(load.getDataLayout().getTypeSizeInBits(load.getType()).getFixedValue(), 32);
}

bool only_reads(const llvm::Instruction& each) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&each);
  if (!call) return !each.mayHaveSideEffects();
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
  if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return true;
  return !call->isConvergent() && !call->mayHaveSideEffects() && (intrinsic || is_fetch(*call));
}

class Advance {
 public:
  Advance(const llvm::Loop& loop, const llvm::DominatorTree& dominators)
      : loop_(loop), dominators_(dominators), header_(*loop.getHeader()) {}

  bool run() {
    if (!is_suitable()) return false;
    find_place();
    bool changed = false;
    for (llvm::BasicBlock* block : always_executed())
      for (llvm::Instruction& each : llvm::make_early_inc_range(*block))
        if (is_global_load(each) && bits_of(each) <= kMostBits - bits_)
          changed |= advance(llvm::cast<llvm::LoadInst>(each));
    return changed;
  }

 private:
  using Chain = llvm::SmallSetVector<llvm::Instruction*, 8>;

  bool is_suitable() const {
    return loop_.isInnermost() && loop_.getNumBlocks() > 1 && loop_.getLoopLatch() &&
           loop_.getExitingBlock() == loop_.getLoopLatch() &&
           llvm::all_of(loop_.blocks(),
                        [](const llvm::BasicBlock* block) { return llvm::all_of(*block, only_reads); });
  }

  // Behind the header's loads: ahead of what waits for them.
  void find_place() {
    place_ = header_.getFirstNonPHIIt();
    for (auto each = place_; each != header_.end(); ++each)
      if (is_global_load(*each)) place_ = std::next(each);
  }

  // The blocks behind the header that every iteration passes, in order.
  std::vector<llvm::BasicBlock*> always_executed() const {
    std::vector<llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock* block = loop_.getLoopLatch(); block != &header_;
         block = dominators_.getNode(block)->getIDom()->getBlock())
      blocks.push_back(block);
    std::reverse(blocks.begin(), blocks.end());
    return blocks;
  }

  bool advance(llvm::LoadInst& load) {
    Chain chain;
    unsigned left = kLongest;
    if (!collect(load, chain, left)) return false;
    std::uint64_t bits = 0;
    for (const llvm::Instruction* each : chain)
      if (is_global_load(*each)) bits += bits_of(*each);
    if (bits > kMostBits - bits_) return false;
    bits_ += bits;
    for (llvm::Instruction* each : chain) move(*each);
    return true;
  }

  // The instruction and those in blocks behind the header from which it is computed, operands first. Nothing else may be among them than
  // can be executed ahead of the branches, and no more instructions than `left`.
  bool collect(llvm::Instruction& each, Chain& chain, unsigned& left) const {
    if (each.getParent() == &header_ || !loop_.contains(&each) || chain.contains(&each)) return true;
    if (llvm::isa<llvm::PHINode>(each) || each.isTerminator() || left == 0) return false;
    --left;
    if (!is_global_load(each) && (each.mayReadFromMemory() || !llvm::isSafeToSpeculativelyExecute(&each)))
      return false;
    for (llvm::Value* operand : each.operands())
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand);
          instruction && !collect(*instruction, chain, left))
        return false;
    chain.insert(&each);
    return true;
  }

  void move(llvm::Instruction& each) {
    for (llvm::Value* operand : each.operands()) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!instruction || instruction->getParent() != &header_ || llvm::isa<llvm::PHINode>(instruction))
        continue;
      if (place_ == header_.end() || instruction->comesBefore(&*place_)) continue;
      place_ = std::next(instruction->getIterator());
    }
    each.moveBefore(header_, place_);
    each.updateLocationAfterHoist();
  }

  static constexpr unsigned kLongest = 32;  // the instructions that are moved for a load

  const llvm::Loop& loop_;
  const llvm::DominatorTree& dominators_;
  llvm::BasicBlock& header_;
  llvm::BasicBlock::iterator place_;
  std::uint64_t bits_ = 0;
};

}  // namespace

llvm::PreservedAnalyses AdvanceLoads::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) changed |= Advance(*loop, dominators).run();
  return control_flow_preserved(changed);
}

}  // namespace clcuda::compiler
