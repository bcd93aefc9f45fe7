// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/pass_structures_by_address.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/indirect_calls.h"

namespace clcuda::compiler {
namespace {

bool takes_structures(const llvm::Function& function) {
  return llvm::any_of(function.args(),
                      [](const llvm::Argument& argument) { return argument.hasByValAttr(); });
}

// Without a body.
llvm::Function& declare_second(llvm::Function& function) {
  auto* second = llvm::Function::Create(function.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                        function.getAddressSpace(), function.getName() + ".by_address",
                                        function.getParent());
  second->setCallingConv(function.getCallingConv());
  second->setAttributes(function.getAttributes());
  for (llvm::Argument& argument : second->args()) argument.removeAttr(llvm::Attribute::ByVal);
  return *second;
}

void call_first(llvm::Function& second, llvm::Function& first) {
  llvm::LLVMContext& context = second.getContext();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", &second));
  llvm::SmallVector<llvm::Value*> arguments;
  for (llvm::Argument& argument : second.args()) arguments.push_back(&argument);
  llvm::CallInst* call = builder.CreateCall(&first, arguments);
  call->setCallingConv(first.getCallingConv());
  call->setAttributes(first.getAttributes().removeFnAttributes(context));
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

bool is_called(const llvm::Use& use) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
  return call && call->isCallee(&use) && call->getCalledFunction();
}

}  // namespace

llvm::PreservedAnalyses PassStructuresByAddress::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* function : addressed_functions(module)) {
    if (!takes_structures(*function)) continue;
    llvm::Function& second = declare_second(*function);
    function->replaceUsesWithIf(&second, [](const llvm::Use& use) { return !is_called(use); });
    call_first(second, *function);
  }
  for (llvm::CallBase* call : indirect_calls(module))
    for (unsigned i = 0; i < call->arg_size(); ++i) call->removeParamAttr(i, llvm::Attribute::ByVal);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
