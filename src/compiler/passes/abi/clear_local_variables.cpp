// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/clear_local_variables.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

std::vector<llvm::GlobalVariable*> zero_variables(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == kLocalSpace && variable.hasInitializer() &&
        variable.getInitializer()->isNullValue())
      variables.push_back(&variable);
  return variables;
}

// Inserts the clearing at the start of a kernel.
class Clearing {
 public:
  explicit Clearing(llvm::Function& kernel) : kernel_(kernel), builder_(kernel.getContext()) {
    llvm::BasicBlock& entry = kernel.getEntryBlock();
    body_ = llvm::SplitBlock(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    entry.getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(&entry);
    // A call in a function with debug information must have a location.
    if (llvm::DISubprogram* scope = kernel.getSubprogram())
      builder_.SetCurrentDebugLocation(llvm::DILocation::get(kernel.getContext(), 0, 0, scope));
    llvm::Type* size = builder_.getInt64Ty();
    first_ = call("_Z19get_local_linear_idv", size, {});
    step_ = call("_Z14get_local_sizej", size, {builder_.getInt32(0)});
    for (unsigned i = 1; i < 3; ++i)
      step_ = builder_.CreateMul(step_, call("_Z14get_local_sizej", size, {builder_.getInt32(i)}));
  }

  // By words if the variable consists of them, otherwise by bytes.
  void clear(llvm::GlobalVariable& variable) {
    const std::uint64_t bytes =
        kernel_.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType());
    const bool has_words = bytes % 4 == 0 && variable.getAlign().valueOrOne() >= llvm::Align(4);
    llvm::Type* unit = has_words ? builder_.getInt32Ty() : builder_.getInt8Ty();
    loop(has_words ? bytes / 4 : bytes, [&](llvm::Value* index) {
      builder_.CreateStore(llvm::Constant::getNullValue(unit), builder_.CreateGEP(unit, &variable, index));
    });
  }

  // The work-items wait for each other and begin with the kernel's body.
  void end() {
    constexpr unsigned kLocalFence = 1;
    call("_Z18work_group_barrierj", builder_.getVoidTy(), {builder_.getInt32(kLocalFence)});
    builder_.CreateBr(body_);
  }

 private:
  llvm::Value* call(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
    const auto attributes =
        llvm::AttributeList::get(kernel_.getContext(), llvm::AttributeList::FunctionIndex,
                                 {llvm::Attribute::Convergent, llvm::Attribute::NoUnwind});
    llvm::CallInst* call =
        builder_.CreateCall(kernel_.getParent()->getOrInsertFunction(
                                name, llvm::FunctionType::get(result, types, false), attributes),
                            arguments);
    call->setAttributes(attributes);
    return call;
  }

  // for (index = first; index < count; index += step) act(index);
  void loop(std::uint64_t count, llvm::function_ref<void(llvm::Value*)> act) {
    const auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(kernel_.getContext(), name, &kernel_, body_);
    };
    llvm::BasicBlock *before = builder_.GetInsertBlock(), *head = block("clear"), *turn = block(""),
                     *after = block("cleared");
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    llvm::PHINode* index = builder_.CreatePHI(builder_.getInt64Ty(), 2);
    index->addIncoming(first_, before);
    builder_.CreateCondBr(builder_.CreateICmpULT(index, builder_.getInt64(count)), turn, after);
    builder_.SetInsertPoint(turn);
    act(index);
    index->addIncoming(builder_.CreateAdd(index, step_), turn);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(after);
  }

  llvm::Function& kernel_;
  llvm::IRBuilder<> builder_;
  llvm::BasicBlock* body_;
  llvm::Value *first_, *step_;
};

}  // namespace

llvm::PreservedAnalyses ClearLocalVariables::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const std::vector<llvm::GlobalVariable*> variables = zero_variables(module);
  if (variables.empty()) return llvm::PreservedAnalyses::all();
  llvm::MapVector<llvm::Function*, std::vector<llvm::GlobalVariable*>> used;
  for (llvm::GlobalVariable* variable : variables) {
    for (llvm::Function* kernel : kernels_using(*variable)) used[kernel].push_back(variable);
    variable->setInitializer(llvm::PoisonValue::get(variable->getValueType()));
  }
  for (const auto& [kernel, cleared] : used) {
    Clearing clearing(*kernel);
    for (llvm::GlobalVariable* variable : cleared) clearing.clear(*variable);
    clearing.end();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
