// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/reduce_strides.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/preserved_analyses.h"

namespace clcuda::compiler {
namespace {

constexpr std::size_t kMostChains = 16;   // of a loop, among which those of several copies are sought
constexpr std::size_t kMostPointers = 4;  // of a loop, each in two registers
constexpr unsigned kMostDepth = 4;        // of the expression of an index

// One address of a body that unrolling may have copied, and the accesses at constant distances from it.
struct Place {
  struct Access {
    llvm::Instruction* instruction;
    llvm::APInt distance;
  };
  const llvm::SCEV* start;  // the address in the first iteration
  llvm::SmallVector<Access> accesses;
};

// The copies of one address, at equal distances in the order in which an iteration uses them.
struct Chain {
  const llvm::SCEV* stride;  // of the whole loop
  // From each place to the next one, and from the last one to the first of the next iteration.
  const llvm::SCEV* step = nullptr;
  llvm::SmallVector<Place> places;
};

class Reducer {
 public:
  Reducer(llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::DominatorTree& dominators)
      : loop_(loop),
        evolution_(evolution),
        dominators_(dominators),
        expander_(evolution, "stride"),
        entry_(*loop.getLoopPreheader()->getTerminator()) {}

  bool run() {
    llvm::SmallVector<Chain> chains;
    for (llvm::BasicBlock* block : blocks_of_each_iteration())
      for (llvm::Instruction& instruction : *block)
        if (add(instruction, chains); chains.size() > kMostChains) return false;
    llvm::erase_if(chains, [&](const Chain& chain) { return !is_whole(chain); });
    if (chains.empty() || chains.size() > kMostPointers) return false;
    for (const Chain& chain : chains) make_pointer(chain);
    remove_counters();
    return true;
  }

 private:
  // In the order in which they run.
  llvm::SmallVector<llvm::BasicBlock*> blocks_of_each_iteration() const {
    llvm::SmallVector<llvm::BasicBlock*> blocks{loop_.getLoopLatch()};
    while (blocks.back() != loop_.getHeader())
      blocks.push_back(dominators_.getNode(blocks.back())->getIDom()->getBlock());
    return {blocks.rbegin(), blocks.rend()};
  }

  void add(llvm::Instruction& instruction, llvm::SmallVector<Chain>& chains) {
    auto* address =
        llvm::dyn_cast_or_null<llvm::GetElementPtrInst>(llvm::getLoadStorePointerOperand(&instruction));
    const auto* grows = address ? growing(*address) : nullptr;
    if (!grows) return;
    const llvm::SCEV *start = grows->getStart(), *stride = grows->getStepRecurrence(evolution_);
    if (llvm::isa<llvm::SCEVConstant>(stride) || !expander_.isSafeToExpand(start) ||
        !expander_.isSafeToExpand(stride))
      return;
    for (Chain& chain : chains)
      if (chain.stride == stride && continues(chain, start, instruction)) return;
    chains.push_back(
        {.stride = stride, .places = {{start, {{&instruction, llvm::APInt(width_of(start), 0)}}}}});
  }

  // The address as one that grows evenly, or null.
  const llvm::SCEVAddRecExpr* growing(llvm::GetElementPtrInst& address) {
    if (address.getNumIndices() != 1 || address.getPointerAddressSpace() != kGlobalSpace ||
        !loop_.isLoopInvariant(address.getPointerOperand()))
      return nullptr;
    llvm::Value* index = address.getOperand(1);
    const llvm::SCEV* base = evolution_.getSCEV(address.getPointerOperand());
    llvm::Type* wide = evolution_.getEffectiveSCEVType(base->getType());
    if (auto* extension = llvm::dyn_cast<llvm::SExtInst>(index)) index = extension->getOperand(0);
    if (!index->getType()->isIntegerTy() ||
        index->getType()->getIntegerBitWidth() > wide->getIntegerBitWidth())
      return nullptr;
    const llvm::SCEV* size = evolution_.getSizeOfExpr(wide, address.getSourceElementType());
    const auto* grows = llvm::dyn_cast<llvm::SCEVAddRecExpr>(
        evolution_.getAddExpr(base, evolution_.getMulExpr(size, extended(*index, wide, kMostDepth))));
    return grows && grows->getLoop() == &loop_ && grows->isAffine() ? grows : nullptr;
  }

  // The signed value in more bits. Operations that are known not to wrap (nsw) are made in more bits: ScalarEvolution rarely concludes from
  // that for the sum of all iterations, but if one wrapped, the access would be undefined.
  const llvm::SCEV* extended(llvm::Value& value, llvm::Type* wide, unsigned depth) {
    const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    const bool is_last = depth == 0 || !operation || loop_.isLoopInvariant(operation);
    const unsigned opcode = is_last ? 0 : operation->getOpcode();
    const bool is_sum = opcode == llvm::Instruction::Add || opcode == llvm::Instruction::Sub;
    if ((!is_sum && opcode != llvm::Instruction::Mul) || !operation->hasNoSignedWrap())
      return evolution_.getNoopOrSignExtend(evolution_.getSCEV(&value), wide);
    const llvm::SCEV* left = extended(*operation->getOperand(0), wide, depth - 1);
    const llvm::SCEV* right = extended(*operation->getOperand(1), wide, depth - 1);
    if (!is_sum) return evolution_.getMulExpr(left, right);
    return opcode == llvm::Instruction::Add ? evolution_.getAddExpr(left, right)
                                            : evolution_.getMinusSCEV(left, right);
  }

  unsigned width_of(const llvm::SCEV* address) const {
    return unsigned(evolution_.getTypeSizeInBits(evolution_.getEffectiveSCEVType(address->getType())));
  }

  // Adds an access to the last place of a chain, or as the chain's next place.
  bool continues(Chain& chain, const llvm::SCEV* start, llvm::Instruction& instruction) {
    const llvm::SCEV* last = chain.places.back().start;
    if (evolution_.getPointerBase(last) != evolution_.getPointerBase(start)) return false;
    const llvm::SCEV* step = evolution_.getMinusSCEV(start, last);
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(step)) {
      chain.places.back().accesses.push_back({&instruction, constant->getAPInt()});
      return true;
    }
    if (chain.step ? chain.step != step : !divides(step, chain.stride)) return false;
    chain.step = step;
    chain.places.push_back({start, {{&instruction, llvm::APInt(width_of(start), 0)}}});
    return true;
  }

  // Whether the stride is a small multiple of the step.
  bool divides(const llvm::SCEV* step, const llvm::SCEV* stride) {
    constexpr unsigned kMostCopies = 16;
    for (unsigned copies = 2; copies <= kMostCopies; ++copies)
      if (times(step, copies) == stride) return true;
    return false;
  }
  const llvm::SCEV* times(const llvm::SCEV* step, std::size_t copies) {
    return evolution_.getMulExpr(evolution_.getConstant(step->getType(), copies), step);
  }
  bool is_whole(const Chain& chain) {
    return chain.step && times(chain.step, chain.places.size()) == chain.stride;
  }

  void make_pointer(const Chain& chain) {
    const Place& first = chain.places.front();
    llvm::Type* type = address_of(*first.accesses.front().instruction)->getType();
    llvm::Value* start = expander_.expandCodeFor(first.start, type, &entry_);
    llvm::Value* step = expander_.expandCodeFor(chain.step, chain.step->getType(), &entry_);
    auto* phi = llvm::PHINode::Create(type, 2, "", loop_.getHeader()->getFirstNonPHIIt());
    phi->addIncoming(start, loop_.getLoopPreheader());
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    llvm::Value* pointer = phi;
    for (const Place& place : chain.places) {
      if (&place != &first)
        pointer = llvm::IRBuilder<>(place.accesses.front().instruction).CreatePtrAdd(pointer, step);
      for (const auto& [access, distance] : place.accesses) {
        llvm::Use& address = address_of(*access);
        replaced.push_back(address.get());
        llvm::IRBuilder<> builder(access);
        address = distance.isZero() ? pointer : builder.CreatePtrAdd(pointer, builder.getInt(distance));
      }
    }
    llvm::IRBuilder<> end(loop_.getLoopLatch()->getTerminator());
    phi->addIncoming(end.CreatePtrAdd(pointer, step), loop_.getLoopLatch());
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  }

  // Those that only the addresses needed, and all but one of those that are equal, as the unroller's and the program's.
  void remove_counters() {
    llvm::DeleteDeadPHIs(loop_.getHeader());
    llvm::SmallVector<llvm::WeakTrackingVH> unused;
    expander_.clear();
    expander_.replaceCongruentIVs(&loop_, &dominators_, unused);
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  }

  static llvm::Use& address_of(llvm::Instruction& access) {
    return access.getOperandUse(llvm::isa<llvm::LoadInst>(access)
                                    ? llvm::LoadInst::getPointerOperandIndex()
                                    : llvm::StoreInst::getPointerOperandIndex());
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const llvm::DominatorTree& dominators_;
  llvm::SCEVExpander expander_;
  llvm::Instruction& entry_;
};

}  // namespace

llvm::PreservedAnalyses ReduceStrides::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopPreheader() && loop->getLoopLatch())
      changed |= Reducer(*loop, evolution, dominators).run();
  return control_flow_preserved(changed);
}

}  // namespace clcuda::compiler
