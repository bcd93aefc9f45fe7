// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/hold_results.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/optimize/branch_groups.h"
#include "compiler/passes/preserved_analyses.h"

namespace clcuda::compiler {
namespace {

// The letter that stands for values of the type in inline assembly; null if none does, or if it is no number.
const char* constraint_of(const llvm::Type& type) {
  if (type.isFloatTy()) return "f";
  if (type.isDoubleTy()) return "d";
  if (type.isIntegerTy(32)) return "r";
  return type.isIntegerTy(64) ? "l" : nullptr;
}

void use_at_end(llvm::Instruction& result) {
  llvm::IRBuilder<> builder(result.getParent()->getTerminator());
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result.getType());
  const char* constraint = constraint_of(*result.getType()->getScalarType());
  if (!constraint) return;
  for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
    llvm::Value* value = vector ? builder.CreateExtractElement(&result, i) : &result;
    auto* signature = llvm::FunctionType::get(builder.getVoidTy(), {value->getType()}, false);
    llvm::CallInst* call = builder.CreateCall(llvm::InlineAsm::get(signature, "", constraint, true), {value});
    call->setDoesNotAccessMemory();
    call->setDoesNotThrow();
  }
}

}  // namespace

llvm::PreservedAnalyses HoldResults::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    const BranchGroups groups(block, dominators, BranchGroups::Loads::stay);
    for (const BranchGroups::Group& group : groups.all()) {
      if (!group.takes_more_registers_behind) continue;
      for (llvm::Instruction* result : group.results) use_at_end(*result);
      changed = true;
    }
  }
  return control_flow_preserved(changed);
}

}  // namespace clcuda::compiler
