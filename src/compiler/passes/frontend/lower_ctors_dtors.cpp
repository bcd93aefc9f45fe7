// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/lower_ctors_dtors.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/compiled_program.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

constexpr llvm::StringRef kRegistration = "atexit";

// The functions in llvm.global_ctors, sorted by priority, otherwise in order.
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

// Creates a kernel without parameters or body, with the attributes of `like`, a function that it will call.
llvm::Function& make_kernel(llvm::Module& module, const char* name, const llvm::Function& like) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  auto* kernel = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  kernel->setAttributes(like.getAttributes());
  kernel->setCallingConv(llvm::CallingConv::PTX_Kernel);
  kernel->addFnAttr(kLifeAttribute);
  return *kernel;
}

void call(llvm::IRBuilder<>& builder, llvm::Function& function) {
  function.setCallingConv(llvm::CallingConv::C);
  builder.CreateCall(function.getFunctionType(), &function);
}

void make_initializer(llvm::Module& module) {
  const std::vector<llvm::Function*> constructors = constructors_of(module);
  if (constructors.empty()) return;
  // Like the last one: the first may be that of break_initializer_cycles, which lacks Clang's attributes.
  llvm::Function& kernel = make_kernel(module, kInitializerSymbol, *constructors.back());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &kernel));
  for (llvm::Function* constructor : constructors) call(builder, *constructor);
  builder.CreateRetVoid();
}

// The calls of atexit with a known function.
std::vector<llvm::CallInst*> registrations_of(llvm::Module& module) {
  std::vector<llvm::CallInst*> registrations;
  for (llvm::Function& function :
       module) {  // in the order of the program, so that its code is always the same
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (callee && callee->getName() == kRegistration && callee->isDeclaration() &&
            call->arg_size() == 1 && llvm::isa<llvm::Function>(call->getArgOperand(0)->stripPointerCasts()))
          registrations.push_back(call);
      }
    }
  }
  return registrations;
}

llvm::Function& destructor_of(const llvm::CallInst& atexit) {
  return *llvm::cast<llvm::Function>(atexit.getArgOperand(0)->stripPointerCasts());
}

// The list of registered destructors. Their numbers begin at 1; 0 ends the list.
class Registrations {
 public:
  Registrations(llvm::Module& module, std::uint64_t count)
      : number_(llvm::Type::getInt32Ty(module.getContext())),
        latest_(variable(module, number_, "__clcuda_latest_object")),
        before_(variable(module, llvm::ArrayType::get(number_, count + 1), "__clcuda_objects_before")) {}

  // Atomic, because work-items may construct different objects at the same time.
  void add(llvm::IRBuilder<>& builder, std::uint32_t number) const {
    llvm::Value* before =
        builder.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, latest_, builder.getInt32(number), kAlignment,
                                llvm::AtomicOrdering::Monotonic);
    builder.CreateAlignedStore(before, place_of(builder, builder.getInt32(number)), kAlignment);
  }
  llvm::Value* take_latest(llvm::IRBuilder<>& builder) const {
    llvm::Value* latest = builder.CreateAlignedLoad(number_, latest_, kAlignment);
    llvm::Value* before = builder.CreateAlignedLoad(number_, place_of(builder, latest), kAlignment);
    builder.CreateAlignedStore(before, latest_, kAlignment);
    return latest;
  }

 private:
  static constexpr llvm::Align kAlignment = llvm::Align::Constant<4>();

  static llvm::GlobalVariable* variable(llvm::Module& module, llvm::Type* type, const char* name) {
    auto* variable = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                              llvm::Constant::getNullValue(type), name, nullptr,
                                              llvm::GlobalValue::NotThreadLocal, kGlobalSpace);
    variable->setAlignment(kAlignment);
    return variable;
  }
  llvm::Value* place_of(llvm::IRBuilder<>& builder, llvm::Value* number) const {
    return builder.CreateGEP(before_->getValueType(), before_, {builder.getInt32(0), number});
  }

  llvm::Type* const number_;
  llvm::GlobalVariable *const latest_, *const before_;
};

// Runs destructors, latest object first, until the list is empty; a destructor may construct another object.
void make_finalizer(llvm::Module& module) {
  const std::vector<llvm::CallInst*> calls = registrations_of(module);
  if (calls.empty()) return;
  const Registrations registrations(module, calls.size());
  llvm::Function& kernel = make_kernel(module, kFinalizerSymbol, destructor_of(*calls.front()));
  const auto new_block = [&] { return llvm::BasicBlock::Create(module.getContext(), "", &kernel); };
  llvm::BasicBlock *begin = new_block(), *next = new_block(), *end = new_block();
  llvm::IRBuilder<> builder(begin);
  builder.CreateBr(next);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  builder.SetInsertPoint(next);
  llvm::SwitchInst* choice = builder.CreateSwitch(registrations.take_latest(builder), end);
  for (std::uint32_t number = 1; number <= calls.size(); ++number) {
    llvm::CallInst& atexit = *calls[number - 1];
    llvm::BasicBlock* destroys = new_block();
    choice->addCase(builder.getInt32(number), destroys);
    builder.SetInsertPoint(destroys);
    call(builder, destructor_of(atexit));
    builder.CreateBr(next);
    llvm::IRBuilder<> place(&atexit);
    registrations.add(place, number);
    atexit.replaceAllUsesWith(llvm::ConstantInt::get(atexit.getType(), 0));
    atexit.eraseFromParent();
  }
}

}  // namespace

llvm::PreservedAnalyses LowerCtorsDtors::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  make_initializer(module);
  make_finalizer(module);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
