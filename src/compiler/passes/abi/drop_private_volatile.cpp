// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/drop_private_volatile.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clcuda::compiler {
namespace {

bool is_private(const llvm::Value& pointer) {
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  return llvm::all_of(objects, llvm::IsaPred<llvm::AllocaInst>);
}

}  // namespace

llvm::PreservedAnalyses DropPrivateVolatile::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& each : llvm::instructions(function)) {
    const llvm::Value* pointer = each.isVolatile() ? llvm::getLoadStorePointerOperand(&each) : nullptr;
    if (!pointer || !is_private(*pointer)) continue;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&each)) load->setVolatile(false);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&each)) store->setVolatile(false);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
