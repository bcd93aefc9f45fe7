// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/pass_active_masks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/abi/arrivals.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

bool can_be_told(const llvm::Function& function) {
  return !function.isDeclaration() && !is_kernel(function) &&
         llvm::all_of(function.users(), [&](const llvm::User* user) {
           const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
           return call && call->getCalledFunction() == &function;
         });
}

// The functions that use the active mask, and all their callers.
llvm::SetVector<llvm::Function*> functions_to_tell(llvm::Module& module) {
  llvm::SetVector<llvm::Function*> found;
  for (llvm::Function& function : module)
    if (can_be_told(function) && !active_masks_in(function).empty()) found.insert(&function);
  for (unsigned i = 0; i < found.size(); ++i)
    for (llvm::User* user : found[i]->users())
      if (llvm::Function* caller = llvm::cast<llvm::CallInst>(user)->getFunction(); can_be_told(*caller))
        found.insert(caller);
  return found;
}

}  // namespace

llvm::PreservedAnalyses PassActiveMasks::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::LLVMContext& context = module.getContext();
  const llvm::AttributeSet attributes =
      llvm::AttributeSet::get(context, llvm::AttrBuilder(context).addAttribute(kActiveMaskAttribute));
  llvm::SmallVector<llvm::Function*> told;
  for (llvm::Function* function : functions_to_tell(module))
    told.push_back(append_parameter(*function, llvm::Type::getInt32Ty(context), attributes, "active_mask"));
  for (llvm::Function* callee : told) {
    for (llvm::User* user : llvm::make_early_inc_range(callee->users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      append_argument(*call, builder.CreateIntrinsic(llvm::Intrinsic::nvvm_activemask, {}));
    }
  }
  return told.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
