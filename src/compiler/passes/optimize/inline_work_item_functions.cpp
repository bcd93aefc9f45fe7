// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/inline_work_item_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>

#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

constexpr unsigned kMostInstructions = 128;

bool reads_ids(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.")) return true;
  }
  return false;
}

bool may_inline(const llvm::Function& function) {
  return !function.isDeclaration() && !is_kernel(function) &&
         !function.hasFnAttribute(llvm::Attribute::NoInline) &&
         !function.hasFnAttribute(llvm::Attribute::OptimizeNone) &&
         function.getInstructionCount() <= kMostInstructions;
}

}  // namespace

llvm::PreservedAnalyses InlineWorkItemFunctions::run(llvm::Module& module,
                                                     llvm::ModuleAnalysisManager& analyses) {
  llvm::SetVector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    if (may_inline(function) && reads_ids(function)) functions.insert(&function);
  }
  for (unsigned i = 0; i < functions.size(); ++i) {
    functions[i]->addFnAttr(llvm::Attribute::AlwaysInline);
    for (llvm::User* user : functions[i]->users()) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call && may_inline(*call->getFunction())) functions.insert(call->getFunction());
    }
  }
  return llvm::AlwaysInlinerPass(/*InsertLifetime=*/true).run(module, analyses);
}

}  // namespace clcuda::compiler
