// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/lower_launch_record.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "builtins/launch_record.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"
#include "compiler/program_error.h"

namespace clcuda::compiler {
namespace {

using Functions = llvm::SetVector<llvm::Function*>;

// The functions that read the launch record, and all their callers; also every block's kernel, whose parameters always include the record.
Functions functions_that_need(llvm::Function& record) {
  Functions found;
  for (llvm::Function* kernel : kernels_of(*record.getParent()))
    if (is_block_kernel(*kernel)) found.insert(kernel);
  const auto add_callers = [&](llvm::Function& callee) {
    for (llvm::User* user : callee.users()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (is_kernel(callee)) continue;  // kernels are not called but enqueued
      if (!call || call->getCalledOperand() != &callee) {
        throw ProgramError{"error: the address of function '" + callee.getName().str() + "' is taken"};
      }
      found.insert(call->getFunction());
    }
  };
  add_callers(record);
  for (unsigned i = 0; i < found.size(); ++i) add_callers(*found[i]);
  return found;
}

llvm::AttributeSet parameter_attributes(llvm::LLVMContext& context, bool of_kernel) {
  llvm::AttrBuilder attributes(context);
  attributes.addAlignmentAttr(llvm::Align(8));
  attributes.addAttribute(llvm::Attribute::NoAlias);
  attributes.addAttribute(llvm::Attribute::ReadOnly);
  attributes.addAttribute(kLaunchRecordAttribute);
  if (of_kernel) {
    attributes.addByValAttr(
        llvm::ArrayType::get(llvm::Type::getInt8Ty(context), sizeof(clcuda_launch_record)));
    // Lets the address of the parameter itself be taken; otherwise a function to which the record is passed gets a copy on the stack.
    attributes.addAttribute("nvvm.grid_constant");
  }
  return llvm::AttributeSet::get(context, attributes);
}

llvm::Function* with_record_parameter(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  return append_parameter(function, llvm::PointerType::get(context, 0),
                          parameter_attributes(context, is_kernel(function)), "launch_record");
}

llvm::Value* record_of(const llvm::Instruction& instruction) {
  const llvm::Function* function = instruction.getFunction();
  return function->getArg(function->arg_size() - 1);
}

}  // namespace

llvm::PreservedAnalyses LowerLaunchRecord::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* record = module.getFunction(kLaunchRecordFunction);
  if (!record) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::Function*> changed;
  for (llvm::Function* function : functions_that_need(*record))
    changed.push_back(with_record_parameter(*function));
  for (llvm::Function* callee : changed) {
    if (is_kernel(*callee)) continue;
    for (llvm::User* user : llvm::make_early_inc_range(callee->users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      append_argument(*call, *callee, record_of(*call));
    }
  }
  for (llvm::User* user : llvm::make_early_inc_range(record->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(record_of(*call));
    call->eraseFromParent();
  }
  record->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
