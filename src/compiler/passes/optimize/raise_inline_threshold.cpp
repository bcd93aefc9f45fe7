// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/raise_inline_threshold.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clcuda::compiler {
namespace {

// In LLVM's units, in which an instruction costs 5: functions of about 4000 instructions, such as the compression functions of hashes.
constexpr const char* kMostCost = "20000";

// Private variables have no address space of their own; they are accessed through generic pointers.
bool may_be_private(const llvm::Type& type) {
  return type.isPointerTy() && type.getPointerAddressSpace() == 0;
}

bool may_take_private_memory(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && !callee->isDeclaration() && !callee->hasFnAttribute(llvm::Attribute::NoInline) &&
         llvm::any_of(callee->args(),
                      [](const llvm::Argument& argument) { return may_be_private(*argument.getType()); });
}

}  // namespace

llvm::PreservedAnalyses RaiseInlineThreshold::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && may_take_private_memory(*call))
      call->addFnAttr(llvm::Attribute::get(function.getContext(), "function-inline-threshold", kMostCost));
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
