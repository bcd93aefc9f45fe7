// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/legalize_math.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <iterator>

namespace clcuda::compiler {
namespace {

// Intrinsics that NVPTX cannot select (or only as an approximation), and the library's function.
struct Legal {
  llvm::Intrinsic::ID intrinsic;
  llvm::StringRef function;
};
constexpr Legal functions[] = {
    {llvm::Intrinsic::sin, "sin"},   {llvm::Intrinsic::cos, "cos"},     {llvm::Intrinsic::tan, "tan"},
    {llvm::Intrinsic::asin, "asin"}, {llvm::Intrinsic::acos, "acos"},   {llvm::Intrinsic::atan, "atan"},
    {llvm::Intrinsic::sinh, "sinh"}, {llvm::Intrinsic::cosh, "cosh"},   {llvm::Intrinsic::tanh, "tanh"},
    {llvm::Intrinsic::exp, "exp"},   {llvm::Intrinsic::exp2, "exp2"},   {llvm::Intrinsic::exp10, "exp10"},
    {llvm::Intrinsic::log, "log"},   {llvm::Intrinsic::log2, "log2"},   {llvm::Intrinsic::log10, "log10"},
    {llvm::Intrinsic::pow, "pow"},   {llvm::Intrinsic::atan2, "atan2"},
};

llvm::Value* call_scalar(llvm::IRBuilder<>& builder, const Legal& legal,
                         llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Type* type = arguments[0]->getType();
  if (type->isBFloatTy()) {
    llvm::SmallVector<llvm::Value*> wide;
    for (llvm::Value* argument : arguments)
      wide.push_back(builder.CreateFPExt(argument, builder.getFloatTy()));
    return builder.CreateFPTrunc(call_scalar(builder, legal, wide), type);
  }
  const llvm::StringRef code = type->isHalfTy() ? "Dh" : type->isFloatTy() ? "f" : "d";
  std::string name = "_Z" + std::to_string(legal.function.size()) + legal.function.str();
  for (std::size_t i = 0; i < arguments.size(); ++i) name += code;
  const llvm::SmallVector<llvm::Type*> types(arguments.size(), type);
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module.getOrInsertFunction(name, llvm::FunctionType::get(type, types, false)),
                            arguments);
}

llvm::Value* call(llvm::IRBuilder<>& builder, const Legal& legal, llvm::ArrayRef<llvm::Value*> arguments) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(arguments[0]->getType());
  if (!vector) return call_scalar(builder, legal, arguments);
  llvm::Value* result = llvm::PoisonValue::get(arguments[0]->getType());
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::SmallVector<llvm::Value*> elements;
    for (llvm::Value* argument : arguments) elements.push_back(builder.CreateExtractElement(argument, i));
    result = builder.CreateInsertElement(result, call_scalar(builder, legal, elements), i);
  }
  return result;
}

}  // namespace

llvm::PreservedAnalyses LegalizeMath::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::IntrinsicInst*> calls;
  for (llvm::Function& function : module) {
    if (!function.isIntrinsic()) continue;
    for (llvm::User* user : function.users()) {
      if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user)) calls.push_back(intrinsic);
    }
  }
  for (llvm::IntrinsicInst* intrinsic : calls) {
    const auto legal = std::ranges::find(functions, intrinsic->getIntrinsicID(), &Legal::intrinsic);
    if (legal == std::end(functions)) continue;
    llvm::IRBuilder<> builder(intrinsic);
    intrinsic->replaceAllUsesWith(call(builder, *legal, llvm::SmallVector<llvm::Value*>(intrinsic->args())));
    intrinsic->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
