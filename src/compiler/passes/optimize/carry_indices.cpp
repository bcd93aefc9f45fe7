// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/carry_indices.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/passes/preserved_analyses.h"

namespace clcuda::compiler {
namespace {

constexpr unsigned kFewestMultiplications = 2;
constexpr unsigned kMostRegisters = 8;  // of a loop
constexpr unsigned kMostDepth = 8;      // of the expression of an index

class Carrier {
 public:
  Carrier(llvm::Loop& loop, llvm::ScalarEvolution& evolution)
      : loop_(loop),
        evolution_(evolution),
        expander_(evolution, "carried"),
        entry_(*loop.getLoopPreheader()->getTerminator()) {
    expander_.disableCanonicalMode();  // which adds counters to enclosing loops
  }

  bool run() {
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) add(instruction);
    unsigned registers = 0;
    for (const auto& [recurrence, indices] : indices_)
      registers += recurrence->getType()->getIntegerBitWidth() / 32;
    if (indices_.empty() || registers > kMostRegisters) return false;
    for (const auto& [recurrence, indices] : indices_) carry(*recurrence, indices);
    return true;
  }

 private:
  using Indices = llvm::SmallSetVector<llvm::Instruction*, 4>;

  void add(llvm::Instruction& access) {
    llvm::Instruction* index = index_of(access);
    llvm::SmallPtrSet<const llvm::Value*, 8> seen;
    if (!index || multiplications(*index, seen, kMostDepth) < kFewestMultiplications) return;
    const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(index));
    if (!recurrence || recurrence->getLoop() != &loop_ || !recurrence->isAffine()) return;
    const llvm::SCEV *start = recurrence->getStart(), *stride = recurrence->getStepRecurrence(evolution_);
    if (llvm::isa<llvm::SCEVConstant>(stride) || !expander_.isSafeToExpand(start) ||
        !expander_.isSafeToExpand(stride))
      return;
    indices_[recurrence].insert(index);
  }

  // The index of the element that is read or written, as it is before it is extended; null if the loop does not compute it.
  llvm::Instruction* index_of(llvm::Instruction& access) const {
    auto* address =
        llvm::dyn_cast_or_null<llvm::GetElementPtrInst>(llvm::getLoadStorePointerOperand(&access));
    if (!address) return nullptr;
    llvm::Value* index = address->getOperand(address->getNumOperands() - 1);
    if (auto* extension = llvm::dyn_cast<llvm::CastInst>(index);
        extension && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension))
      index = extension->getOperand(0);
    auto* computed = llvm::dyn_cast<llvm::Instruction>(index);
    const bool is_whole = index->getType()->isIntegerTy(32) || index->getType()->isIntegerTy(64);
    return computed && is_whole && loop_.contains(computed) ? computed : nullptr;
  }

  // The multiplications inside the loop that the value depends on.
  unsigned multiplications(const llvm::Value& value, llvm::SmallPtrSet<const llvm::Value*, 8>& seen,
                           unsigned depth) const {
    const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!operation || llvm::isa<llvm::PHINode>(operation) || loop_.isLoopInvariant(operation) || depth == 0 ||
        !seen.insert(operation).second)
      return 0;
    unsigned count = operation->getOpcode() == llvm::Instruction::Mul;
    for (const llvm::Value* operand : operation->operands())
      count += multiplications(*operand, seen, depth - 1);
    return count;
  }

  void carry(const llvm::SCEVAddRecExpr& recurrence, const Indices& indices) {
    llvm::Type* type = recurrence.getType();
    llvm::BasicBlock* latch = loop_.getLoopLatch();
    llvm::Value* start = expander_.expandCodeFor(recurrence.getStart(), type, &entry_);
    llvm::Value* stride = expander_.expandCodeFor(recurrence.getStepRecurrence(evolution_), type, &entry_);
    auto* carried = llvm::PHINode::Create(type, 2, "", loop_.getHeader()->getFirstNonPHIIt());
    carried->addIncoming(start, loop_.getLoopPreheader());
    carried->addIncoming(llvm::IRBuilder<>(latch->getTerminator()).CreateAdd(carried, stride), latch);
    for (llvm::Instruction* index : indices) {
      index->replaceAllUsesWith(carried);
      llvm::RecursivelyDeleteTriviallyDeadInstructions(index);
    }
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  llvm::SCEVExpander expander_;
  llvm::Instruction& entry_;
  llvm::MapVector<const llvm::SCEVAddRecExpr*, Indices> indices_;
};

}  // namespace

llvm::PreservedAnalyses CarryIndices::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopPreheader() && loop->getLoopLatch())
      changed |= Carrier(*loop, evolution).run();
  return control_flow_preserved(changed);
}

}  // namespace clcuda::compiler
