// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/regions/region_splitter.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <optional>

#include "ptx/syntax/parse_error.h"
#include "ptx/translate/markers.h"
#include "ptx/translate/regions/liveness.h"
#include "ptx/translate/regions/recompute.h"
#include "ptx/translate/regions/work_item_loop.h"

namespace clcuda::ptx {
namespace {

// A place where an item suspends.
struct Suspension {
  llvm::CallInst* marker;
  llvm::BasicBlock* block;   // ends with the marker
  llvm::BasicBlock* resume;  // where the item continues
};

// A value that is live across suspensions.
struct Kept {
  llvm::Instruction* value;
  llvm::AllocaInst* place = nullptr;  // the stack variable that replaces it in the item
  std::uint32_t offset = 0;           // in Block::slots, unless the value is recomputed
  bool recomputed = false;
};

class RegionFormer {
 public:
  RegionFormer(llvm::Function& item, const std::string& symbol, KernelCode& code)
      : item_(item), symbol_(symbol), code_(code), builder_(item.getContext()) {}

  void run() {
    replace_exits();
    find_suspensions();
    code_.symbol = symbol_;
    if (suspensions_.empty()) {
      make_work_item_loop(item_, symbol_ + ".0", code_.waits);
      return;
    }
    keep_allocas();
    for (const Suspension& suspension : suspensions_) code_.waits.push_back(wait_of(*suspension.marker));
    find_kept_values();
    make_places();
    make_region(&item_.getEntryBlock(), 0);
    for (unsigned i = 0; i < suspensions_.size(); ++i) make_region(suspensions_[i].resume, i + 1);
    item_.deleteBody();
    item_.eraseFromParent();
  }

 private:
  void replace_exits() {
    std::vector<llvm::CallInst*> exits;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (call->getCalledFunction() && call->getCalledFunction()->getName() == kExitMarker)
          exits.push_back(call);
    for (llvm::CallInst* exit : exits) {
      llvm::BasicBlock* block = exit->getParent();
      llvm::SplitBlock(block, exit);
      block->getTerminator()->eraseFromParent();
      llvm::ReturnInst::Create(item_.getContext(), block);
    }
    llvm::removeUnreachableBlocks(item_);
  }

  void find_suspensions() {
    std::vector<llvm::CallInst*> markers;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (call->getCalledFunction() && call->getCalledFunction()->getName() == kSuspendMarker)
          markers.push_back(call);
    for (llvm::CallInst* marker : markers) {
      llvm::BasicBlock* block = marker->getParent();
      llvm::BasicBlock* resume = llvm::SplitBlock(block, marker->getNextNode());
      suspensions_.push_back({marker, block, resume});
      if (marker->use_empty()) continue;
      builder_.SetInsertPoint(&resume->front());
      llvm::Value* index = builder_.CreateZExt(item_number(item_), builder_.getInt64Ty());
      llvm::Value* place =
          builder_.CreateGEP(builder_.getInt64Ty(), field(item_, offsetof(Block, results)), index);
      marker->replaceAllUsesWith(builder_.CreateLoad(builder_.getInt64Ty(), place));
    }
  }

  // The marker's kind of wait. The usual barrier (number 0, all items) is distinguished from other barriers.
  static Wait wait_of(const llvm::CallInst& marker) {
    const auto argument = [&](unsigned index) {
      return llvm::dyn_cast<llvm::ConstantInt>(marker.getArgOperand(index));
    };
    const auto wait = static_cast<Wait>(argument(0)->getZExtValue());
    const auto is_zero = [&](unsigned index) { return argument(index) && argument(index)->isZero(); };
    return wait == Wait::barrier && is_zero(1) && is_zero(2) ? Wait::block_barrier : wait;
  }

  // Allocas must survive a suspension, so they move from the stack to the block's local memory.
  void keep_allocas() {
    std::vector<llvm::AllocaInst*> allocas;
    std::uint64_t bytes = 0, stride = 64;  // between the work-items' allocas, which keep their alignment
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (auto* made = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) allocas.push_back(made);
    const llvm::DataLayout& layout = item_.getDataLayout();
    std::vector<std::uint64_t> offsets;
    for (llvm::AllocaInst* made : allocas) {
      const std::uint64_t alignment = std::max<std::uint64_t>(made->getAlign().value(), 8);
      stride = std::max(stride, alignment);
      bytes = (bytes + alignment - 1) / alignment * alignment;
      offsets.push_back(bytes);
      bytes += made->getAllocationSize(layout)->getFixedValue();
    }
    bytes = (bytes + stride - 1) / stride * stride;
    if (bytes > (512 << 10)) throw ParseError(0, "more local memory than a work-item has");
    code_.kept_local_bytes = static_cast<std::uint32_t>(bytes);
    for (std::size_t i = 0; i < allocas.size(); ++i) {
      drop_lifetimes(*allocas[i]);
      builder_.SetInsertPoint(allocas[i]);
      llvm::Value* index = builder_.CreateMul(builder_.CreateZExt(item_number(item_), builder_.getInt64Ty()),
                                              builder_.getInt64(bytes));
      llvm::Value* base = builder_.CreatePtrAdd(field(item_, offsetof(Block, local)), index);
      allocas[i]->replaceAllUsesWith(builder_.CreatePtrAdd(base, builder_.getInt64(offsets[i])));
      allocas[i]->eraseFromParent();
    }
  }

  // Removes the lifetime markers that inlining inserts, because they are valid for memory on the stack only.
  static void drop_lifetimes(llvm::AllocaInst& made) {
    for (llvm::User* user : llvm::make_early_inc_range(made.users())) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      if (call && call->isLifetimeStartOrEnd()) call->eraseFromParent();
    }
  }

  void find_kept_values() {
    std::vector<llvm::BasicBlock*> resumes;
    for (const Suspension& suspension : suspensions_) resumes.push_back(suspension.resume);
    live_ = values_alive_at(item_, resumes);
    const llvm::DataLayout& layout = item_.getDataLayout();
    for (const auto& alive : live_)
      for (llvm::Instruction* value : alive)
        if (!index_.contains(value)) {
          index_[value] = kept_.size();
          kept_.push_back({.value = value, .recomputed = can_recompute(*value)});
        }
    // By descending size, so that every slot is aligned to its size.
    std::vector<Kept*> order;
    for (Kept& kept : kept_)
      if (!kept.recomputed) order.push_back(&kept);
    const auto size = [&](const Kept* kept) {
      return layout.getTypeAllocSize(kept->value->getType()).getFixedValue();
    };
    std::ranges::sort(
        order, [&](const Kept* a, const Kept* b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
    for (Kept* kept : order) {
      kept->offset = code_.slot_bytes;
      code_.slot_bytes += static_cast<std::uint32_t>(size(kept));
    }
  }

  // Each kept value gets a stack variable (its place), written where the value is defined and read where it is used. Regions fill it at
  // their start, and mem2reg turns it back into values.
  void make_places() {
    for (Kept& kept : kept_) {
      builder_.SetInsertPoint(&item_.getEntryBlock(), item_.getEntryBlock().begin());
      kept.place = builder_.CreateAlloca(kept.value->getType(), nullptr, "kept");
      places_[kept.place] = kept.value;
    }
    for (Kept& kept : kept_) {
      std::vector<llvm::Use*> uses;
      for (llvm::Use& use : kept.value->uses()) uses.push_back(&use);
      for (llvm::Use* use : uses) {
        auto* user = llvm::cast<llvm::Instruction>(use->getUser());
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
          builder_.SetInsertPoint(phi->getIncomingBlock(*use)->getTerminator());
        else
          builder_.SetInsertPoint(user);
        // All entries of a phi for the same predecessor must agree, so they all get this load.
        llvm::Value* read = builder_.CreateLoad(kept.value->getType(), kept.place);
        use->set(read);
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
          make_entries_agree(*phi, phi->getIncomingBlock(*use), read);
      }
      auto after = kept.value->getInsertionPointAfterDef();
      builder_.SetInsertPoint((*after)->getParent(), *after);
      builder_.CreateStore(kept.value, kept.place);
    }
  }

  static void make_entries_agree(llvm::PHINode& phi, llvm::BasicBlock* from, llvm::Value* value) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (phi.getIncomingBlock(i) == from) phi.setIncomingValue(i, value);
  }

  const Suspension* suspension_of(const llvm::BasicBlock* block) const {
    const auto found = std::ranges::find(suspensions_, block, &Suspension::block);
    return found == suspensions_.end() ? nullptr : &*found;
  }

  std::vector<llvm::BasicBlock*> blocks_from(llvm::BasicBlock* start) const {
    std::vector<llvm::BasicBlock*> found{start};
    llvm::SmallPtrSet<llvm::BasicBlock*, 32> seen{start};
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (suspension_of(found[i])) continue;
      for (llvm::BasicBlock* next : llvm::successors(found[i]))
        if (seen.insert(next).second) found.push_back(next);
    }
    return found;
  }

  void make_region(llvm::BasicBlock* start, unsigned number) {
    const std::string name = symbol_ + "." + std::to_string(number);
    auto* made = llvm::Function::Create(item_.getFunctionType(), llvm::Function::InternalLinkage,
                                        name + ".item", item_.getParent());
    made->copyAttributesFrom(&item_);
    llvm::ValueToValueMapTy map;
    for (unsigned i = 0; i < item_.arg_size(); ++i) map[item_.getArg(i)] = made->getArg(i);
    const auto originals = blocks_from(start);
    exit_ = common_exit(originals);
    code_.exits.push_back(exit_);
    const llvm::SmallPtrSet<llvm::BasicBlock*, 32> inside(originals.begin(), originals.end());
    auto* entry = llvm::BasicBlock::Create(item_.getContext(), "resume", made);
    builder_.SetInsertPoint(entry);
    find_frame(*made);
    for (llvm::AllocaInst* place : places_in(originals))
      map[place] = builder_.CreateAlloca(place->getAllocatedType(), nullptr, "kept");
    if (number > 0) restore(*made, number - 1, map);

    std::vector<llvm::BasicBlock*> clones;
    for (llvm::BasicBlock* original : originals) {
      auto* clone = llvm::CloneBasicBlock(original, map, "", made);
      map[original] = clone;
      clones.push_back(clone);
    }
    builder_.SetInsertPoint(entry);
    builder_.CreateBr(llvm::cast<llvm::BasicBlock>(map[start]));
    for (std::size_t i = 0; i < clones.size(); ++i) finish_block(originals[i], *clones[i], inside, map);
    for (llvm::BasicBlock* clone : clones)
      for (llvm::Instruction& instruction : *clone) {
        llvm::RemapInstruction(&instruction, map,
                               llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      }
    make_work_item_loop(*made, name, code_.waits);
  }

  // The places that these blocks access. Most values only pass through a region, in their slots.
  llvm::SetVector<llvm::AllocaInst*> places_in(const std::vector<llvm::BasicBlock*>& blocks) const {
    llvm::SetVector<llvm::AllocaInst*> found;
    for (llvm::BasicBlock* block : blocks)
      for (llvm::Instruction& instruction : *block)
        if (auto* place =
                llvm::dyn_cast_or_null<llvm::AllocaInst>(llvm::getLoadStorePointerOperand(&instruction)))
          if (places_.contains(place)) found.insert(place);
    return found;
  }

  // The state in which items leave the blocks, if it is the same at every exit.
  std::uint32_t common_exit(const std::vector<llvm::BasicBlock*>& blocks) const {
    std::optional<std::uint32_t> exit;
    for (const llvm::BasicBlock* block : blocks) {
      const Suspension* suspension = suspension_of(block);
      if (!suspension && !llvm::isa<llvm::ReturnInst>(block->getTerminator())) continue;
      const std::uint32_t state =
          suspension ? static_cast<std::uint32_t>(suspension - suspensions_.data()) + 1 : kStateFinished;
      if (exit.value_or(state) != state) return kStateVaries;
      exit = state;
    }
    return exit.value_or(kStateFinished);
  }

  // Removes the phis' entries for predecessors outside the region; makes suspensions and returns leave the region.
  void finish_block(llvm::BasicBlock* original, llvm::BasicBlock& clone,
                    const llvm::SmallPtrSet<llvm::BasicBlock*, 32>& inside, llvm::ValueToValueMapTy& map) {
    for (llvm::PHINode& phi : clone.phis())
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;) {
        llvm::BasicBlock* from = phi.getIncomingBlock(i);
        if (!inside.contains(from) || suspension_of(from)) phi.removeIncomingValue(i, false);
      }
    if (const Suspension* suspension = suspension_of(original)) {
      leave(*suspension, clone, inside, map);
    } else if (llvm::isa<llvm::ReturnInst>(clone.getTerminator())) {
      builder_.SetInsertPoint(clone.getTerminator());
      set_state(kStateFinished);
    }
  }

  // Values for all accesses to the item's entries in the block's arrays, computed at the region's start.
  struct Frame {
    llvm::Value *stride, *index, *slots, *operands, *state;
  };
  void find_frame(llvm::Function& made) {
    frame_.stride = builder_.CreateZExt(load_field(made, offsetof(Block, item_stride), builder_.getInt32Ty()),
                                        builder_.getInt64Ty());
    frame_.index = builder_.CreateZExt(item_number(made), builder_.getInt64Ty());
    frame_.slots = field(made, offsetof(Block, slots));
    frame_.operands = field(made, offsetof(Block, operands));
    frame_.state = field(made, offsetof(Block, state));
  }

  llvm::Value* slot(const Kept& kept) {
    llvm::Value* start = builder_.CreateMul(frame_.stride, builder_.getInt64(kept.offset));
    llvm::Value* array = builder_.CreatePtrAdd(frame_.slots, start);
    return builder_.CreateGEP(kept.value->getType(), array, frame_.index);
  }

  void restore(llvm::Function& made, unsigned suspension, llvm::ValueToValueMapTy& map) {
    Recomputation recomputation(made, builder_, places_);
    for (llvm::Instruction* value : live_[suspension]) {
      const Kept& kept = kept_[index_[value]];
      const auto place = map.find(kept.place);
      if (place == map.end()) continue;
      llvm::Value* restored =
          kept.recomputed ? recomputation.of(*value) : builder_.CreateLoad(value->getType(), slot(kept));
      builder_.CreateStore(restored, place->second);
    }
  }

  void leave(const Suspension& suspension, llvm::BasicBlock& clone,
             const llvm::SmallPtrSet<llvm::BasicBlock*, 32>& inside, llvm::ValueToValueMapTy& map) {
    const auto number = static_cast<unsigned>(&suspension - suspensions_.data());
    clone.getTerminator()->eraseFromParent();
    auto* marker = llvm::cast<llvm::CallInst>(&clone.back());
    builder_.SetInsertPoint(&clone);
    for (unsigned i = 0; i < kWaitOperands; ++i) {
      llvm::Value* operand = marker->getArgOperand(i + 1);
      const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand);
      if (constant && constant->isZero() && i >= used_operands(code_.waits[number])) continue;
      llvm::Value* place =
          builder_.CreateAdd(builder_.CreateMul(frame_.stride, builder_.getInt64(i)), frame_.index);
      builder_.CreateStore(operand, builder_.CreateGEP(builder_.getInt64Ty(), frame_.operands, place));
    }
    for (llvm::Instruction* value : live_[number]) {
      const Kept& kept = kept_[index_[value]];
      // A value that this region does not define is already in its slot.
      if (kept.recomputed || !inside.contains(value->getParent())) continue;
      builder_.CreateStore(builder_.CreateLoad(value->getType(), map[kept.place]), slot(kept));
    }
    set_state(number + 1);
    builder_.CreateRetVoid();
    marker->eraseFromParent();
  }

  static unsigned used_operands(Wait wait) {
    if (wait == Wait::yield || wait == Wait::block_barrier) return 0;
    if (wait == Wait::warp_sync || wait == Wait::active_mask || wait == Wait::elect) return 1;
    if (wait >= Wait::shuffle_up && wait <= Wait::shuffle_idx) return 4;
    return wait == Wait::barrier_popc || wait == Wait::barrier_and || wait == Wait::barrier_or ? 3 : 2;
  }

  void set_state(std::uint32_t state) {
    if (exit_ != kStateVaries) return;
    llvm::Value* place = builder_.CreateGEP(builder_.getInt32Ty(), frame_.state, frame_.index);
    builder_.CreateStore(builder_.getInt32(state), place);
  }

  static llvm::Value* item_number(llvm::Function& function) { return function.getArg(4); }
  llvm::Value* load_field(llvm::Function& function, std::size_t offset, llvm::Type* type) {
    llvm::Value* place =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function.getArg(0), offset);
    auto* load = builder_.CreateLoad(type, place);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
    return load;
  }
  llvm::Value* field(llvm::Function& function, std::size_t offset) {
    return load_field(function, offset, builder_.getPtrTy());
  }

  llvm::Function& item_;
  std::string symbol_;
  KernelCode& code_;
  std::uint32_t exit_ = kStateVaries;  // of the current region
  llvm::IRBuilder<> builder_;
  std::vector<Suspension> suspensions_;
  std::vector<std::vector<llvm::Instruction*>> live_;  // at each suspension's resume
  std::vector<Kept> kept_;
  std::unordered_map<llvm::Instruction*, std::size_t> index_;
  Recomputation::Places places_;
  Frame frame_{};  // of the current region
};

}  // namespace

void split_into_regions(llvm::Function& item, const std::string& symbol, KernelCode& code) {
  RegionFormer(item, symbol, code).run();
}

}  // namespace clcuda::ptx
