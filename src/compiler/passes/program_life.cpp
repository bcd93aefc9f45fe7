// SPDX-License-Identifier: Apache-2.0
// Program-scope objects of C++ for OpenCL. Clang leaves a function that constructs them, named in llvm.global_ctors, and in it
// registers functions with atexit that destroy them. The runtime gets a kernel for either.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <map>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

constexpr llvm::StringRef destroying_prefix = "__dtor_", registration = "atexit";

// The functions of llvm.global_ctors, by priority and then in order.
std::vector<llvm::Function*> constructors_of(llvm::Module& module) {
  std::map<std::uint64_t, std::vector<llvm::Function*>> by_priority;
  llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
  if (!list) return {};
  if (auto* array = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer())) {
    for (const llvm::Use& entry : array->operands()) {
      auto* fields = llvm::cast<llvm::ConstantStruct>(entry.get());
      const auto priority = llvm::cast<llvm::ConstantInt>(fields->getOperand(0))->getZExtValue();
      if (auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts()))
        by_priority[priority].push_back(function);
    }
  }
  list->eraseFromParent();
  std::vector<llvm::Function*> all;
  for (const auto& [priority, functions] : by_priority)
    all.insert(all.end(), functions.begin(), functions.end());
  return all;
}

// Takes the registrations out of what constructs, in the order in which they would have been made.
void take_registrations(llvm::Function& function, std::vector<llvm::Function*>& destructors) {
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee) continue;
      if (callee->getName().starts_with("__cxx_global_var_init")) take_registrations(*callee, destructors);
      if (callee->getName() != registration) continue;
      auto* destructor = llvm::dyn_cast<llvm::Function>(call->getArgOperand(0)->stripPointerCasts());
      if (!destructor) continue;
      destructors.push_back(destructor);
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 0));
      call->eraseFromParent();
    }
  }
}

// A kernel that calls the functions in turn.
void make_kernel(llvm::Module& module, const char* name, const std::vector<llvm::Function*>& functions) {
  if (functions.empty()) return;
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto* kernel = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  kernel->setAttributes(functions.front()->getAttributes());
  kernel->setCallingConv(llvm::CallingConv::PTX_Kernel);
  kernel->addFnAttr(life_attribute);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", kernel));
  for (llvm::Function* function : functions) {
    function->setCallingConv(llvm::CallingConv::C);
    builder.CreateCall(function->getFunctionType(), function);
  }
  builder.CreateRetVoid();
}

}  // namespace

// Clang passes null for an object that is not in the default address space. The function is named after the object.
void name_destroyed_objects(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::StringRef object = function.getName();
    if (function.isDeclaration() || !object.consume_front(destroying_prefix)) continue;
    llvm::GlobalVariable* variable = module.getGlobalVariable(object, /*AllowInternal=*/true);
    if (!variable) continue;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || call->arg_empty() || !llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(0)))
          continue;
        call->setArgOperand(0, llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(
                                   variable, call->getArgOperand(0)->getType()));
      }
    }
  }
}

bool make_life_kernels(llvm::Module& module, std::string& log) {
  const std::vector<llvm::Function*> constructors = constructors_of(module);
  std::vector<llvm::Function*> destructors;
  for (llvm::Function* function : constructors) take_registrations(*function, destructors);
  std::ranges::reverse(destructors);
  if (const llvm::Function* left = module.getFunction(registration); left && !left->use_empty()) {
    log += "error: a static object in a function must not have a destructor\n";
    return false;
  }
  make_kernel(module, initializer_symbol, constructors);
  make_kernel(module, finalizer_symbol, destructors);
  return true;
}

}  // namespace clcuda::compiler
