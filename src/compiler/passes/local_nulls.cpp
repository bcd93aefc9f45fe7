// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/emit_ptx.h"
#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

constexpr unsigned generic_space = 0, local_space = 3;

// From this architecture on no variable lies at the beginning of shared memory, and an address there is the low half of the generic
// one. Before, one is the other and a constant, by which the null pointers go over into each other.
constexpr int first_architecture = 90;

bool points_somewhere(const llvm::Value& pointer) {
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  return llvm::all_of(objects, [](const llvm::Value* object) {
    return llvm::isa<llvm::GlobalVariable>(object) || llvm::isa<llvm::AllocaInst>(object);
  });
}

bool can_be_a_null_of_another_space(const llvm::Instruction& instruction) {
  const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
  if (!cast || cast->getType()->isVectorTy()) return false;
  const unsigned from = cast->getSrcAddressSpace(), to = cast->getDestAddressSpace();
  return ((from == local_space && to == generic_space) || (from == generic_space && to == local_space)) &&
         !points_somewhere(*cast->getPointerOperand());
}

// As a number, because the back end takes a choice between null and a converted pointer for a choice before the conversion.
void keep_null(llvm::AddrSpaceCastInst& cast) {
  llvm::IRBuilder<> builder(cast.getNextNode());
  llvm::Value* is_null = builder.CreateIsNull(cast.getPointerOperand());
  llvm::Value* number = builder.CreatePtrToInt(&cast, cast.getDataLayout().getIntPtrType(cast.getType()));
  llvm::Value* chosen =
      builder.CreateSelect(is_null, llvm::Constant::getNullValue(number->getType()), number);
  llvm::Value* kept = builder.CreateIntToPtr(chosen, cast.getType());
  cast.replaceUsesWithIf(kept, [&](const llvm::Use& use) { return use.getUser() != number; });
}

}  // namespace

void settle_local_nulls(llvm::Module& module, const Lowering& lowering) {
  if (architecture_of(lowering.target) < first_architecture) return;
  auto* generic_null =
      llvm::ConstantPointerNull::get(llvm::PointerType::get(module.getContext(), generic_space));
  auto* local = llvm::PointerType::get(module.getContext(), local_space);
  auto* local_null = llvm::ConstantPointerNull::get(local);
  llvm::ConstantExpr::getAddrSpaceCast(generic_null, local)->replaceAllUsesWith(local_null);
  llvm::ConstantExpr::getAddrSpaceCast(local_null, generic_null->getType())->replaceAllUsesWith(generic_null);
}

void keep_local_nulls(llvm::Module& module, const Lowering& lowering) {
  if (architecture_of(lowering.target) < first_architecture) return;
  settle_local_nulls(module, lowering);
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (can_be_a_null_of_another_space(instruction))
        keep_null(llvm::cast<llvm::AddrSpaceCastInst>(instruction));
}

}  // namespace clcuda::compiler
