// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/resolve_launch_variant.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "builtins/launch_record.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// Marks loads directly from the launch record as invariant: the record does not change while a kernel runs, but alias analysis cannot prove
// it.
void mark_loads(llvm::Value& pointer) {
  for (llvm::User* user : pointer.users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
    } else if (llvm::isa<llvm::GetElementPtrInst>(user)) {
      mark_loads(*user);
    }
  }
}

void prepare_record_function(llvm::Function& function) {
  // The optimiser may move, merge and drop calls of this function.
  function.removeFnAttr(llvm::Attribute::Convergent);
  function.setMemoryEffects(llvm::MemoryEffects::none());
  for (const auto kind :
       {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::Speculatable,
        llvm::Attribute::NoFree, llvm::Attribute::NoSync, llvm::Attribute::NoRecurse}) {
    function.addFnAttr(kind);
  }
  llvm::AttrBuilder result(function.getContext());
  result.addDereferenceableAttr(sizeof(clcuda_launch_record));
  result.addAlignmentAttr(llvm::Align(8));
  result.addAttribute(llvm::Attribute::NonNull);
  function.addRetAttrs(result);
  for (llvm::User* user : function.users()) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) continue;
    call->removeFnAttr(llvm::Attribute::Convergent);
    mark_loads(*call);
  }
}

}  // namespace

llvm::PreservedAnalyses ResolveLaunchVariant::run(llvm::Module& module, llvm::ModuleAnalysisManager&) const {
  if (llvm::Function* uniform = module.getFunction(kUniformLaunchFunction)) {
    for (llvm::User* user : llvm::make_early_inc_range(uniform->users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call) continue;
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), variant_ == Variant::uniform));
      call->eraseFromParent();
    }
  }
  if (llvm::Function* record = module.getFunction(kLaunchRecordFunction)) prepare_record_function(*record);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
