// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/scale_local_indices.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <optional>
#include <utility>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/preserved_analyses.h"

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned kDeepest = 4;  // most operations between the root and the index

// An access whose index is computed from `root` by operations with constants, at least one of them bitwise.
struct Access {
  llvm::GetElementPtrInst* address;
  llvm::Value* index;  // of 32 bits
  llvm::Value* root;
  unsigned shift;  // log2 of the element size
};

// The other operand of an operation with a constant, if shifting that operand first gives the same result.
llvm::Value* operand_of(llvm::Value* value) {
  llvm::Value* operand = nullptr;
  const bool found = match(value, m_CombineOr(m_BitwiseLogic(m_Value(operand), m_ConstantInt()),
                                              m_Add(m_Value(operand), m_ConstantInt())));
  return found ? operand : nullptr;
}

llvm::Value* root_of(llvm::Value* index) {
  bool on_bits = false;
  for (unsigned depth = 0; depth < kDeepest; ++depth) {
    llvm::Value* operand = operand_of(index);
    if (!operand) break;
    on_bits |= llvm::cast<llvm::BinaryOperator>(index)->isBitwiseLogicOp();
    index = operand;
  }
  return on_bits && !llvm::isa<llvm::Constant>(index) ? index : nullptr;
}

std::optional<Access> access_of(llvm::GetElementPtrInst& address, const llvm::DataLayout& layout) {
  if (address.getAddressSpace() != kLocalSpace || address.getNumIndices() != 1 ||
      address.getType()->isVectorTy())
    return {};
  const llvm::TypeSize size = layout.getTypeAllocSize(address.getSourceElementType());
  if (size.isScalable() || size < 2 || !llvm::isPowerOf2_64(size)) return {};
  llvm::Value* index = nullptr;
  if (!match(address.getOperand(1), m_ZExtOrSExt(m_Value(index))) || !index->getType()->isIntegerTy(32))
    return {};
  llvm::Value* root = root_of(index);
  const unsigned shift = llvm::Log2_64(size);
  // The shift loses no bits of the index, and the index is not negative.
  if (!root || llvm::computeKnownBits(index, layout).countMinLeadingZeros() < std::max(shift, 1u)) return {};
  return Access{&address, index, root, shift};
}

class Scaler {
 public:
  void change(const Access& access) {
    llvm::IRBuilder<> builder(access.address);
    llvm::Value* bytes = builder.CreateZExt(scaled(access.index, access.root, access.shift, builder),
                                            access.address->getOperand(1)->getType());
    llvm::Value* changed = builder.CreatePtrAdd(access.address->getPointerOperand(), bytes, "",
                                                access.address->getNoWrapFlags());
    access.address->replaceAllUsesWith(changed);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(access.address);
  }

 private:
  llvm::Value* scaled(llvm::Value* value, llvm::Value* root, unsigned shift, llvm::IRBuilder<>& builder) {
    if (value == root) return scaled_root(root, shift);
    auto* operation = llvm::cast<llvm::BinaryOperator>(value);
    const auto* constant = llvm::cast<llvm::ConstantInt>(operation->getOperand(1));
    llvm::Value* operand = scaled(operation->getOperand(0), root, shift, builder);
    return builder.CreateBinOp(operation->getOpcode(), operand,
                               builder.getInt(constant->getValue().shl(shift)));
  }
  // The scaled root, computed once, directly after the root.
  llvm::Value* scaled_root(llvm::Value* root, unsigned shift) {
    llvm::Value*& known = roots_[{root, shift}];
    if (known) return known;
    llvm::IRBuilder<> builder(root->getContext());
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(root))
      builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    else
      builder.SetInsertPointPastAllocas(llvm::cast<llvm::Argument>(root)->getParent());
    return known = builder.CreateShl(root, shift);
  }

  std::map<std::pair<llvm::Value*, unsigned>, llvm::Value*> roots_;
};

}  // namespace

llvm::PreservedAnalyses ScaleLocalIndices::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::DataLayout& layout = function.getDataLayout();
  // Accesses by root, shift and block: a block that is rarely executed gains nothing from accesses in other blocks.
  llvm::MapVector<std::pair<std::pair<llvm::Value*, unsigned>, llvm::BasicBlock*>, llvm::SmallVector<Access>>
      groups;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!address) continue;
    if (const std::optional<Access> access = access_of(*address, layout))
      groups[{{access->root, access->shift}, address->getParent()}].push_back(*access);
  }
  bool changed = false;
  Scaler scaler;
  for (const auto& [key, accesses] : groups) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(key.first.first);
    if (accesses.size() < 2 || (instruction && !instruction->getInsertionPointAfterDef())) continue;
    for (const Access& access : accesses) scaler.change(access);
    changed = true;
  }
  return control_flow_preserved(changed);
}

}  // namespace clcuda::compiler
