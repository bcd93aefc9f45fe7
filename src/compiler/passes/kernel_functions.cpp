// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/kernel_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <iterator>

#include "compiler/passes/indirect_calls.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {

bool is_kernel(const llvm::Function& function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel && !function.isDeclaration();
}

bool is_block_kernel(const llvm::Function& function) {
  return function.hasFnAttribute(kBlockKernelAttribute);
}

llvm::StringRef argument_text(const llvm::Function& kernel, const char* kind, unsigned index) {
  const llvm::MDNode* node = kernel.getMetadata(kind);
  if (!node || index >= node->getNumOperands()) return {};
  const auto* text = llvm::dyn_cast<llvm::MDString>(node->getOperand(index));
  return text ? text->getString() : llvm::StringRef();
}

std::vector<llvm::Function*> kernels_of(llvm::Module& module) {
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& function : module) {
    if (is_kernel(function)) kernels.push_back(&function);
  }
  return kernels;
}

std::vector<llvm::Function*> reached_from(llvm::Function& function) { return reached_from({&function}); }

std::vector<llvm::Function*> reached_from(llvm::ArrayRef<llvm::Function*> functions) {
  llvm::SmallSetVector<llvm::Function*, 8> reached(functions.begin(), functions.end());
  bool reaches_addressed = false;
  const auto reach = [&](llvm::Function* callee) {
    if (callee && !callee->isDeclaration()) reached.insert(callee);
  };
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const llvm::Instruction& instruction : llvm::instructions(*reached[i])) {
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) reach(call->getCalledFunction());
      if (reaches_addressed || !is_indirect_call(instruction)) continue;
      reaches_addressed = true;
      for (llvm::Function* callee : addressed_functions(*reached[i]->getParent())) reach(callee);
    }
  }
  return {reached.begin(), reached.end()};
}

llvm::SetVector<llvm::Function*> reaching(llvm::Module& module, llvm::ArrayRef<llvm::Function*> functions) {
  Callers callers(module);
  llvm::SetVector<llvm::Function*> found(functions.begin(), functions.end());
  for (unsigned i = 0; i < found.size(); ++i) {
    found[i]->removeDeadConstantUsers();
    callers.add(*found[i], found);
  }
  return found;
}

namespace {

void collect_users(llvm::Value& value, llvm::SetVector<llvm::Function*>& functions) {
  for (llvm::User* user : value.users()) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      functions.insert(instruction->getFunction());
    } else if (llvm::isa<llvm::ConstantExpr>(user)) {
      collect_users(*user, functions);
    }
  }
}

}  // namespace

std::vector<llvm::Function*> kernels_using(llvm::GlobalVariable& variable) {
  Callers callers(*variable.getParent());
  llvm::SetVector<llvm::Function*> functions;
  collect_users(variable, functions);
  for (unsigned i = 0; i < functions.size(); ++i) {
    collect_users(*functions[i], functions);
    callers.add_through_pointers(*functions[i], functions);
  }
  std::vector<llvm::Function*> kernels;
  std::ranges::copy_if(functions, std::back_inserter(kernels),
                       [](const auto* function) { return is_kernel(*function); });
  return kernels;
}

llvm::Function* change_parameters(llvm::Function& old, llvm::ArrayRef<llvm::Type*> types,
                                  llvm::AttributeList attributes,
                                  llvm::function_ref<llvm::Value*(llvm::Function&, unsigned)> adapt) {
  auto* type = llvm::FunctionType::get(old.getReturnType(), types, false);
  auto* changed = llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", nullptr);
  old.getParent()->getFunctionList().insert(old.getIterator(), changed);
  changed->takeName(&old);
  changed->copyAttributesFrom(&old);
  changed->setAttributes(attributes);
  changed->copyMetadata(&old, 0);
  old.setSubprogram(nullptr);
  changed->splice(changed->begin(), &old);
  for (unsigned i = 0; i < old.arg_size() && i < changed->arg_size(); ++i) {
    changed->getArg(i)->setName(old.getArg(i)->getName());
  }
  for (unsigned i = 0; i < old.arg_size(); ++i) old.getArg(i)->replaceAllUsesWith(adapt(*changed, i));
  old.replaceAllUsesWith(changed);
  old.eraseFromParent();
  return changed;
}

llvm::Function* append_parameter(llvm::Function& old, llvm::Type* type, llvm::AttributeSet attributes,
                                 llvm::StringRef name) {
  llvm::LLVMContext& context = old.getContext();
  llvm::SmallVector<llvm::Type*> types(old.getFunctionType()->params());
  types.push_back(type);
  llvm::SmallVector<llvm::AttributeSet> parameters;
  const llvm::AttributeList all = old.getAttributes();
  for (unsigned i = 0; i < old.arg_size(); ++i) parameters.push_back(all.getParamAttrs(i));
  parameters.push_back(attributes);
  llvm::Function* changed = change_parameters(
      old, types, llvm::AttributeList::get(context, all.getFnAttrs(), all.getRetAttrs(), parameters),
      [](llvm::Function& f, unsigned i) -> llvm::Value* { return f.getArg(i); });
  changed->getArg(changed->arg_size() - 1)->setName(name);
  return changed;
}

void append_argument(llvm::CallInst& call, llvm::Value* argument) {
  llvm::SmallVector<llvm::Value*> arguments(call.args());
  arguments.push_back(argument);
  llvm::SmallVector<llvm::Type*> types(call.getFunctionType()->params());
  types.push_back(argument->getType());
  llvm::IRBuilder<> builder(&call);
  llvm::CallInst* changed = builder.CreateCall(llvm::FunctionType::get(call.getType(), types, false),
                                               call.getCalledOperand(), arguments);
  changed->setCallingConv(call.getCallingConv());
  changed->setTailCallKind(call.getTailCallKind());
  changed->setAttributes(call.getAttributes());
  changed->copyMetadata(call);
  changed->takeName(&call);
  call.replaceAllUsesWith(changed);
  call.eraseFromParent();
}

llvm::GlobalVariable& dynamic_local_memory(llvm::Module& module) {
  constexpr char kName[] = "__clcuda_dynamic_local";
  if (auto* existing = module.getGlobalVariable(kName, true)) return *existing;
  auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
  auto* memory = new llvm::GlobalVariable(module, bytes, false, llvm::GlobalValue::ExternalLinkage, nullptr,
                                          kName, nullptr, llvm::GlobalValue::NotThreadLocal, 3);
  memory->setAlignment(llvm::Align(kDynamicLocalAlignment));
  return *memory;
}

llvm::Value* dynamic_local_address(llvm::IRBuilderBase& builder, llvm::Value* offset, llvm::Align alignment) {
  llvm::GlobalVariable& memory = dynamic_local_memory(*builder.GetInsertBlock()->getModule());
  if (alignment.value() <= kDynamicLocalAlignment)
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), &memory, offset);
  llvm::Type* index = memory.getDataLayout().getIndexType(memory.getType());
  llvm::Constant* mask = llvm::ConstantInt::getSigned(index, -static_cast<std::int64_t>(alignment.value()));
  llvm::Value* start =
      builder.CreateIntrinsic(llvm::Intrinsic::ptrmask, {memory.getType(), index}, {&memory, mask});
  return builder.CreateGEP(builder.getInt8Ty(), start, offset);
}

}  // namespace clcuda::compiler
