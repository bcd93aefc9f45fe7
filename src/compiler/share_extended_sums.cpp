// SPDX-License-Identifier: Apache-2.0
#include "compiler/share_extended_sums.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Pass.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/extended_index.h"

namespace clcuda::compiler {
namespace {

// Two 32-bit values, in the order of their addresses, and how they are extended.
using Key = std::pair<std::pair<const llvm::Value*, const llvm::Value*>, unsigned>;

Key key_of(const llvm::Value* a, const llvm::Value* b, unsigned extension) {
  return {std::minmax(a, b), extension};
}

class ShareExtendedSums final : public llvm::FunctionPass {
 public:
  ShareExtendedSums() : FunctionPass(id_) {}

  bool runOnFunction(llvm::Function& function) override {
    llvm::DenseMap<Key, llvm::Instruction*> extended;      // extensions of sums: the first of each
    std::vector<std::pair<llvm::Instruction*, Key>> sums;  // sums of extensions
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const auto key = key_of_extended_sum(instruction)) extended.insert({*key, &instruction});
      if (const auto key = key_of_sum(instruction)) sums.emplace_back(&instruction, *key);
    }
    if (sums.empty() || extended.empty()) return false;
    const llvm::DominatorTree dominators(function);
    bool changed = false;
    for (const auto& [sum, key] : sums) {
      llvm::Instruction* extension = extended.lookup(key);
      if (!extension || !dominators.dominates(extension, sum)) continue;
      // The flag may say no more than that a wrapped sum is not used: LLVM moves extensions ahead of branches, with it.
      if (!llvm::programUndefinedIfPoison(extension)) continue;
      sum->replaceAllUsesWith(extension);
      changed = true;
    }
    return changed;
  }

  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override { usage.setPreservesCFG(); }

 private:
  static std::optional<Key> key_of_sum(llvm::Instruction& instruction) {
    if (instruction.getOpcode() != llvm::Instruction::Add || !instruction.getType()->isIntegerTy(64))
      return {};
    const llvm::CastInst *a = extended_index(instruction.getOperand(0)),
                         *b = extended_index(instruction.getOperand(1));
    if (!a || !b || a->getOpcode() != b->getOpcode()) return {};
    return key_of(a->getOperand(0), b->getOperand(0), a->getOpcode());
  }

  static std::optional<Key> key_of_extended_sum(llvm::Instruction& instruction) {
    const llvm::CastInst* extension = extended_index(&instruction);
    if (!extension) return {};
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(extension->getOperand(0));
    if (!sum || sum->getOpcode() != llvm::Instruction::Add) return {};
    const bool wraps = extension->getOpcode() == llvm::Instruction::ZExt ? !sum->hasNoUnsignedWrap()
                                                                         : !sum->hasNoSignedWrap();
    if (wraps) return {};
    return key_of(sum->getOperand(0), sum->getOperand(1), extension->getOpcode());
  }

  static inline char id_ = 0;
};

}  // namespace

llvm::FunctionPass* share_extended_sums() { return new ShareExtendedSums; }

}  // namespace clcuda::compiler
