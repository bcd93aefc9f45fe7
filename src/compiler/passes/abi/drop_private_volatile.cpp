// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/drop_private_volatile.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clcuda::compiler {
namespace {

// Examines each pointer once.
class PrivatePointers {
 public:
  bool contain(const llvm::Value& pointer) {
    const auto [known, is_new] = known_.try_emplace(&pointer, false);
    if (is_new) {
      llvm::SmallVector<const llvm::Value*> objects;
      llvm::getUnderlyingObjects(&pointer, objects);
      known->second = llvm::all_of(objects, llvm::IsaPred<llvm::AllocaInst>);
    }
    return known->second;
  }

 private:
  llvm::DenseMap<const llvm::Value*, bool> known_;
};

}  // namespace

llvm::PreservedAnalyses DropPrivateVolatile::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  PrivatePointers private_pointers;
  bool changed = false;
  for (llvm::Instruction& each : llvm::instructions(function)) {
    const llvm::Value* pointer = each.isVolatile() ? llvm::getLoadStorePointerOperand(&each) : nullptr;
    if (!pointer || !private_pointers.contain(*pointer)) continue;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&each)) load->setVolatile(false);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&each)) store->setVolatile(false);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
