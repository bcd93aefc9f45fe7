// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/promote_uniform_addresses.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

class AddressCarrier {
 public:
  AddressCarrier(llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::UniformityInfo& uniformity)
      : loop_(loop), evolution_(evolution), uniformity_(uniformity) {}

  bool run() {
    std::vector<llvm::Use*> addresses;
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block)
        if (llvm::Use* address = address_of(instruction)) addresses.push_back(address);
    bool changed = false;
    for (llvm::Use* address : addresses) changed |= carry(*address);
    return changed;
  }

 private:
  struct Carried {
    const llvm::SCEVAddRecExpr* course;
    llvm::PHINode* pointer;
  };

  static llvm::Use* address_of(llvm::Instruction& instruction) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() != kLocalSpace) return nullptr;
    return &instruction.getOperandUse(llvm::isa<llvm::StoreInst>(instruction) ? 1 : 0);
  }

  bool carry(llvm::Use& address) {
    const auto* course = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(address.get()));
    if (!course || course->getLoop() != &loop_ || !course->isAffine() ||
        !uniformity_.isUniform(address.get()) ||
        !llvm::isa<llvm::SCEVConstant>(course->getStepRecurrence(evolution_)))
      return false;
    for (const Carried& carried : carried_) {
      const auto* distance =
          llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(course, carried.course));
      if (!distance) continue;
      llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(address.getUser()));
      replace(address, builder.CreatePtrAdd(carried.pointer, distance->getValue()));
      return true;
    }
    llvm::PHINode* pointer = make_pointer(*course, *address->getType());
    if (!pointer) return false;
    carried_.push_back({course, pointer});
    replace(address, pointer);
    return true;
  }

  static void replace(llvm::Use& address, llvm::Value* by) {
    llvm::Value* old = address.get();
    address.set(by);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(old);
  }

  llvm::PHINode* make_pointer(const llvm::SCEVAddRecExpr& course, llvm::Type& type) {
    llvm::Instruction* before = loop_.getLoopPreheader()->getTerminator();
    llvm::SCEVExpander expander(evolution_, "local");
    if (!expander.isSafeToExpandAt(course.getStart(), before)) return nullptr;
    llvm::Value* start = expander.expandCodeFor(course.getStart(), &type, before);
    llvm::IRBuilder<> builder(&loop_.getHeader()->front());
    llvm::PHINode* pointer = builder.CreatePHI(&type, 2, "local");
    builder.SetInsertPoint(loop_.getLoopLatch()->getTerminator());
    const auto* step = llvm::cast<llvm::SCEVConstant>(course.getStepRecurrence(evolution_));
    pointer->addIncoming(start, loop_.getLoopPreheader());
    pointer->addIncoming(builder.CreatePtrAdd(pointer, step->getValue()), loop_.getLoopLatch());
    return pointer;
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const llvm::UniformityInfo& uniformity_;
  std::vector<Carried> carried_;
};

}  // namespace

llvm::PreservedAnalyses PromoteUniformAddresses::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopPreheader() && loop->getLoopLatch())
      changed |= AddressCarrier(*loop, evolution, uniformity).run();
  if (!changed) return llvm::PreservedAnalyses::all();
  function.addFnAttr(kCarriedAddressesAttribute);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
