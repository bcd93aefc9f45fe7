// SPDX-License-Identifier: Apache-2.0
#include "compiler/extend_where_scaled.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Pass.h>

#include "compiler/extended_index.h"

namespace clcuda::compiler {
namespace {

class ExtendWhereScaled final : public llvm::FunctionPass {
 public:
  ExtendWhereScaled() : FunctionPass(id_) {}

  bool runOnFunction(llvm::Function& function) override {
    bool changed = false;
    for (llvm::BasicBlock& block : function)
      for (llvm::PHINode& phi : llvm::make_early_inc_range(block.phis())) changed |= compute_again(phi);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      llvm::CastInst* extension = extension_of(instruction);
      if (!extension || extension->getParent() == instruction.getParent()) continue;
      llvm::Instruction* again = extension->clone();
      again->insertBefore(instruction.getIterator());
      instruction.setOperand(0, again);
      changed = true;
    }
    return changed;
  }

  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override { usage.setPreservesAll(); }

 private:
  // The extension of what `instruction` shifts by a constant, or null.
  static llvm::CastInst* extension_of(const llvm::Instruction& instruction) {
    if (instruction.getOpcode() != llvm::Instruction::Shl ||
        !llvm::isa<llvm::ConstantInt>(instruction.getOperand(1)))
      return nullptr;
    return extended_index(instruction.getOperand(0));
  }

  // A value that is the same on all ways to its block, such as the stride of a loop and of what unrolling left of it.
  static bool compute_again(llvm::PHINode& phi) {
    auto* first = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(0));
    llvm::CastInst* extension = first ? extension_of(*first) : nullptr;
    if (!extension || !is_available(*extension->getOperand(0))) return false;
    for (llvm::Value* value : phi.incoming_values()) {
      auto* other = llvm::dyn_cast<llvm::Instruction>(value);
      llvm::CastInst* others = other ? extension_of(*other) : nullptr;
      if (!others || !others->isIdenticalTo(extension) || other->getOperand(1) != first->getOperand(1))
        return false;
    }
    llvm::Instruction *again = extension->clone(), *scaled = first->clone();
    const auto here = phi.getParent()->getFirstInsertionPt();
    again->insertBefore(here);
    scaled->insertBefore(here);
    scaled->setOperand(0, again);
    scaled->dropPoisonGeneratingFlags();  // the other ways may not have them
    phi.replaceAllUsesWith(scaled);
    phi.eraseFromParent();
    return true;
  }
  // Everywhere: nothing that the function computes.
  static bool is_available(const llvm::Value& value) { return !llvm::isa<llvm::Instruction>(value); }

  static inline char id_ = 0;
};

}  // namespace

llvm::FunctionPass* extend_where_scaled() { return new ExtendWhereScaled; }

}  // namespace clcuda::compiler
