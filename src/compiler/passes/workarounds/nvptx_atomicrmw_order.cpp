// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/nvptx_atomicrmw_order.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <optional>

#include "compiler/passes/address_spaces.h"

namespace clcuda::compiler {
namespace {

using Operation = llvm::AtomicRMWInst;

bool releases(llvm::AtomicOrdering order) { return llvm::isReleaseOrStronger(order); }
bool acquires(llvm::AtomicOrdering order) { return llvm::isAcquireOrStronger(order); }

// NVPTX emits every atomicrmw as relaxed at device scope. Fences before and after it provide the ordering; sequential consistency needs a
// sequentially consistent fence before it.
void put_fences(Operation& operation) {
  const llvm::AtomicOrdering order = operation.getOrdering();
  const auto scope = operation.getSyncScopeID();
  llvm::IRBuilder<> builder(&operation);
  if (releases(order)) {
    const bool total = order == llvm::AtomicOrdering::SequentiallyConsistent;
    builder.CreateFence(total ? order : llvm::AtomicOrdering::Release, scope);
  }
  builder.SetInsertPoint(operation.getNextNode());
  if (acquires(order)) builder.CreateFence(llvm::AtomicOrdering::Acquire, scope);
  operation.setOrdering(llvm::AtomicOrdering::Monotonic);
}

// If the scope is wider than a device, the instruction itself must have system scope.
std::optional<llvm::Intrinsic::ID> at_system_scope(const Operation& operation) {
  using namespace llvm::Intrinsic;
  const llvm::Type* type = operation.getType();
  const bool number = type->isIntegerTy(32) || type->isIntegerTy(64);
  switch (operation.getOperation()) {
    case Operation::Add:
      return number ? std::optional(nvvm_atomic_add_gen_i_sys) : std::nullopt;
    case Operation::FAdd:
      return type->isFloatTy() || type->isDoubleTy() ? std::optional(nvvm_atomic_add_gen_f_sys)
                                                     : std::nullopt;
    case Operation::Xchg:
      return number ? std::optional(nvvm_atomic_exch_gen_i_sys) : std::nullopt;
    case Operation::And:
      return number ? std::optional(nvvm_atomic_and_gen_i_sys) : std::nullopt;
    case Operation::Or:
      return number ? std::optional(nvvm_atomic_or_gen_i_sys) : std::nullopt;
    case Operation::Xor:
      return number ? std::optional(nvvm_atomic_xor_gen_i_sys) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// Implements all other operations by compare-exchange, for which NVPTX emits scope and order correctly.
void expand_to_compare_exchange(Operation& operation) {
  const auto scope = operation.getSyncScopeID();
  llvm::BasicBlock* before = operation.getParent();
  llvm::BasicBlock* after = before->splitBasicBlock(&operation, "atomic.end");
  auto* loop = llvm::BasicBlock::Create(operation.getContext(), "atomic.loop", before->getParent(), after);
  before->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(before);
  llvm::Type* type = operation.getType();
  llvm::Type* bits = builder.getIntNTy(type->getScalarSizeInBits());
  llvm::LoadInst* first =
      builder.CreateAlignedLoad(bits, operation.getPointerOperand(), operation.getAlign());
  first->setAtomic(llvm::AtomicOrdering::Monotonic, scope);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* seen = builder.CreatePHI(bits, 2);
  seen->addIncoming(first, before);
  llvm::Value* old = type == bits ? seen : builder.CreateBitCast(seen, type);
  llvm::Value* wanted =
      llvm::buildAtomicRMWValue(operation.getOperation(), builder, old, operation.getValOperand());
  if (type != bits) wanted = builder.CreateBitCast(wanted, bits);
  auto* exchange =
      builder.CreateAtomicCmpXchg(operation.getPointerOperand(), seen, wanted, operation.getAlign(),
                                  llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic, scope);
  seen->addIncoming(builder.CreateExtractValue(exchange, 0), loop);
  builder.CreateCondBr(builder.CreateExtractValue(exchange, 1), after, loop);
  operation.replaceAllUsesWith(old);
  operation.eraseFromParent();
}

bool is_local(const Operation& operation) { return operation.getPointerAddressSpace() == kLocalSpace; }

void widen_scope(Operation& operation) {
  if (operation.getSyncScopeID() != llvm::SyncScope::System || is_local(operation)) return;
  if (const auto intrinsic = at_system_scope(operation)) {
    llvm::IRBuilder<> builder(&operation);
    llvm::Value* result =
        builder.CreateIntrinsic(*intrinsic, {operation.getType(), operation.getPointerOperand()->getType()},
                                {operation.getPointerOperand(), operation.getValOperand()});
    operation.replaceAllUsesWith(result);
    operation.eraseFromParent();
  } else {
    expand_to_compare_exchange(operation);
  }
}

}  // namespace

llvm::PreservedAnalyses NvptxAtomicrmwOrder::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<Operation*> operations;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* operation = llvm::dyn_cast<Operation>(&instruction)) operations.push_back(operation);
  for (Operation* operation : operations) {
    put_fences(*operation);
    widen_scope(*operation);
  }
  return operations.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
