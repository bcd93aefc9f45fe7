// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/choose_invariant_loads.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

constexpr std::size_t kMostAhead = 8;

bool is_distinct(const llvm::Argument& argument) { return argument.hasAttribute(kDistinctAttribute); }

// Whether the load is through a distinct pointer, from memory that the kernel does not change.
bool is_invariant(const llvm::LoadInst& load) {
  if (!load.isSimple()) return false;
  const auto* argument =
      llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand(), 0));
  return argument && is_distinct(*argument) && argument->onlyReadsMemory();
}

bool writes(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& each) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&each);
      return (store && store->getPointerAddressSpace() == kGlobalSpace) ||
             llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(each);
    });
  });
}

void mark(llvm::LoadInst& load) {
  load.setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load.getContext(), {}));
}

}  // namespace

llvm::PreservedAnalyses ChooseInvariantLoads::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& analyses) {
  if (!is_kernel(function) || llvm::none_of(function.args(), is_distinct))
    return llvm::PreservedAnalyses::all();
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  std::map<const llvm::Loop*, std::vector<llvm::LoadInst*>> loads;
  for (llvm::Instruction& each : llvm::instructions(function))
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&each); load && is_invariant(*load))
      loads[loops.getLoopFor(load->getParent())].push_back(load);
  for (const auto& [loop, in_loop] : loads)
    if (!loop || in_loop.size() <= kMostAhead || !writes(*loop))
      for (llvm::LoadInst* load : in_loop) mark(*load);
  for (llvm::Argument& argument : function.args())
    if (is_distinct(argument)) argument.removeAttr(llvm::Attribute::NoAlias);
  return llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
