// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/inline_atomic_functions.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// Whether it is a library function that has a memory order or scope as a parameter, according to its mangled name.
bool takes_order(const llvm::Function& function) {
  return !function.hasFnAttribute(kProgramAttribute) &&
         (function.getName().contains("12memory_order") || function.getName().contains("12memory_scope"));
}

bool is_decided(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && !callee->isDeclaration() && takes_order(*callee) && !is_kernel(*callee) &&
         llvm::isa<llvm::ConstantInt>(call.getArgOperand(call.arg_size() - 1));
}

void inline_with_callees(llvm::SmallVector<llvm::CallBase*>& calls) {
  while (!calls.empty()) {
    llvm::CallBase* call = calls.pop_back_val();
    llvm::InlineFunctionInfo info;
    if (!llvm::InlineFunction(*call, info).isSuccess()) continue;
    for (llvm::CallBase* inner : info.InlinedCallSites)
      if (is_decided(*inner)) calls.push_back(inner);
  }
}

void erase_unused(llvm::Module& module) {
  for (bool any = true; any;) {
    any = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
      if (!function.hasInternalLinkage() || !function.use_empty() || !takes_order(function)) continue;
      function.eraseFromParent();
      any = true;
    }
  }
}

}  // namespace

llvm::PreservedAnalyses InlineAtomicFunctions::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (takes_order(function)) continue;
    llvm::SmallVector<llvm::CallBase*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && is_decided(*call))
        calls.push_back(call);
    inline_with_callees(calls);
  }
  erase_unused(module);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
