// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/indirect_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>

namespace clcuda::compiler {

bool is_addressed(const llvm::Function& function) {
  return function.getCallingConv() != llvm::CallingConv::PTX_Kernel && !function.isIntrinsic() &&
         function.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false, /*IgnoreAssumeLikeCalls=*/true,
                                  /*IgnoreLLVMUsed=*/true);
}

std::vector<llvm::Function*> addressed_functions(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    function.removeDeadConstantUsers();
    if (is_addressed(function)) functions.push_back(&function);
  }
  return functions;
}

bool is_indirect_call(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && !call->isInlineAsm() && !call->getCalledFunction();
}

std::vector<llvm::CallBase*> indirect_calls(llvm::Module& module) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (is_indirect_call(instruction)) calls.push_back(llvm::cast<llvm::CallBase>(&instruction));
  return calls;
}

void Callers::add(llvm::Function& callee, llvm::SetVector<llvm::Function*>& callers) {
  for (llvm::User* user : callee.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledFunction() == &callee)
      callers.insert(call->getFunction());
  add_through_pointers(callee, callers);
}

void Callers::add_through_pointers(llvm::Function& callee, llvm::SetVector<llvm::Function*>& callers) {
  if (!is_addressed(callee)) return;
  if (!with_indirect_calls_) {
    with_indirect_calls_.emplace();
    for (llvm::CallBase* call : indirect_calls(module_)) with_indirect_calls_->insert(call->getFunction());
  }
  callers.insert_range(*with_indirect_calls_);
}

}  // namespace clcuda::compiler
