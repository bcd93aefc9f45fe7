// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/function_table.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <iterator>

namespace clcuda::ptx {

llvm::ArrayType* FunctionTable::type() {
  llvm::LLVMContext& context = module_.getContext();
  auto* entry = llvm::StructType::get(llvm::PointerType::get(context, 0), llvm::Type::getInt64Ty(context));
  return llvm::ArrayType::get(entry, layout_.addressed_functions().size());
}

// Functions with parameters of the same sizes can be called as each other: parameters are passed by address.
llvm::ConstantInt* FunctionTable::signature(const std::vector<Variable>& results,
                                            const std::vector<Variable>& parameters) {
  Sizes sizes;
  std::ranges::transform(results, std::back_inserter(sizes.first), &Variable::bytes);
  std::ranges::transform(parameters, std::back_inserter(sizes.second), &Variable::bytes);
  const auto [known, is_new] = signatures_.emplace(std::move(sizes), signatures_.size());
  return llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), known->second);
}

llvm::Value* FunctionTable::find(llvm::IRBuilder<>& builder, llvm::Value* address,
                                 const std::vector<Variable>& results,
                                 const std::vector<Variable>& parameters) {
  if (!table_)
    table_ = new llvm::GlobalVariable(module_, type(), true, llvm::GlobalValue::InternalLinkage, nullptr,
                                      "functions");
  llvm::Type *pointer = builder.getPtrTy(), *number = builder.getInt64Ty();
  llvm::FunctionCallee lookup =
      module_.getOrInsertFunction(kFindFunction, pointer, pointer, number, number, number);
  llvm::cast<llvm::Function>(lookup.getCallee())->setDoesNotThrow();
  return builder.CreateCall(
      lookup, {table_, builder.getInt64(type()->getNumElements()), address, signature(results, parameters)});
}

void FunctionTable::complete(llvm::function_ref<llvm::Function*(const Function*)> code) {
  if (!table_) return;
  std::vector<llvm::Constant*> entries;
  auto* entry = llvm::cast<llvm::StructType>(type()->getElementType());
  for (const Symbol& symbol : layout_.addressed_functions()) {
    const Function& function = *symbol.function;
    entries.push_back(llvm::ConstantStruct::get(
        entry, {code(&function), signature(function.results, function.parameters)}));
  }
  table_->setInitializer(llvm::ConstantArray::get(type(), entries));
}

}  // namespace clcuda::ptx
