// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

using namespace llvm::PatternMatch;

// a − b where it is there already when `at` is reached.
llvm::Instruction* difference(llvm::Value& a, llvm::Value& b, const llvm::Instruction& at,
                              const llvm::DominatorTree& dominators) {
  for (llvm::User* user : a.users())
    if (auto* found = llvm::dyn_cast<llvm::Instruction>(user);
        match(user, m_Sub(m_Specific(&a), m_Specific(&b))) && dominators.dominates(found, &at))
      return found;
  return nullptr;
}

void share(llvm::BinaryOperator& subtraction, const llvm::DominatorTree& dominators) {
  llvm::Value *a = nullptr, *b = nullptr;
  llvm::Constant* step = nullptr;
  if (!match(&subtraction, m_Sub(m_AddLike(m_Value(a), m_ImmConstant(step)), m_Value(b)))) return;
  llvm::Instruction* other = difference(*a, *b, subtraction, dominators);
  if (!other) return;
  other->dropPoisonGeneratingFlags();  // a − b may overflow where this does not
  subtraction.replaceAllUsesWith(llvm::IRBuilder<>(&subtraction).CreateAdd(other, step));
  subtraction.eraseFromParent();
}

}  // namespace

void share_differences(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::DominatorTree dominators(function);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (instruction.getOpcode() == llvm::Instruction::Sub && instruction.getType()->isIntegerTy())
        share(llvm::cast<llvm::BinaryOperator>(instruction), dominators);
  }
}

}  // namespace clcuda::compiler
