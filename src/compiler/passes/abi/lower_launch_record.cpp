// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/lower_launch_record.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "builtins/launch_record.h"
#include "compiler/passes/indirect_calls.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

using Functions = llvm::SetVector<llvm::Function*>;

// The functions that read the launch record, and all their callers; also every block's kernel, whose parameters always include the record.
// A call through a pointer does not tell which function it reaches: if one of those that it may reach needs the record, all get it.
Functions functions_that_need(llvm::Function& record) {
  llvm::Module& module = *record.getParent();
  Callers callers(module);
  bool reaches_addressed = false;
  Functions found;
  for (llvm::Function* kernel : kernels_of(module))
    if (is_block_kernel(*kernel)) found.insert(kernel);
  callers.add(record, found);
  for (unsigned i = 0; i < found.size(); ++i) {
    if (is_kernel(*found[i])) continue;  // kernels are not called but enqueued
    callers.add(*found[i], found);
    if (reaches_addressed || !is_addressed(*found[i])) continue;
    reaches_addressed = true;
    for (llvm::Function* function : addressed_functions(module))
      if (!function->isDeclaration()) found.insert(function);
  }
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

void add_record_parameter(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  append_parameter(function, llvm::PointerType::get(context, 0),
                   parameter_attributes(context, is_kernel(function)), "launch_record");
}

llvm::Value* record_of(const llvm::Instruction& instruction) {
  const llvm::Function* function = instruction.getFunction();
  return function->getArg(function->arg_size() - 1);
}

// The calls of these functions: those by name, and all indirect ones if one of the functions may be reached by them.
std::vector<llvm::CallInst*> calls_of(const Functions& functions, llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  bool through_pointers = false;
  for (llvm::Function* function : functions) {
    if (is_kernel(*function)) continue;
    through_pointers |= is_addressed(*function);
    for (llvm::User* user : function->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == function)
        calls.push_back(call);
  }
  if (through_pointers)
    for (llvm::CallBase* call : indirect_calls(module)) calls.push_back(llvm::cast<llvm::CallInst>(call));
  return calls;
}

}  // namespace

llvm::PreservedAnalyses LowerLaunchRecord::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* record = module.getFunction(kLaunchRecordFunction);
  if (!record) return llvm::PreservedAnalyses::all();
  const Functions needing = functions_that_need(*record);
  const std::vector<llvm::CallInst*> calls = calls_of(needing, module);
  for (llvm::Function* function : needing) add_record_parameter(*function);
  for (llvm::CallInst* call : calls) append_argument(*call, record_of(*call));
  for (llvm::User* user : llvm::make_early_inc_range(record->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(record_of(*call));
    call->eraseFromParent();
  }
  record->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
