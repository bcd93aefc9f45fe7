// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/resolve_c_math.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>

#include "compiler/passes/mangled_name.h"

namespace clcuda::compiler {
namespace {

// C's name, and the name of OpenCL C's function. `types`, with the result's first: n for the floating-point type, i for int, l for long, p
// for a pointer to int.
struct CFunction {
  llvm::StringRef name, types, library;
};
constexpr CFunction kFunctions[] = {
    {"acosh", "nn", "acosh"},
    {"asinh", "nn", "asinh"},
    {"atanh", "nn", "atanh"},
    {"cbrt", "nn", "cbrt"},
    {"erf", "nn", "erf"},
    {"erfc", "nn", "erfc"},
    {"expm1", "nn", "expm1"},
    {"fdim", "nnn", "fdim"},
    {"hypot", "nnn", "hypot"},
    {"ilogb", "in", "ilogb"},
    {"lgamma", "nn", "lgamma"},
    {"log1p", "nn", "log1p"},
    {"logb", "nn", "logb"},
    {"nextafter", "nnn", "nextafter"},
    {"remainder", "nnn", "remainder"},
    {"remquo", "nnnp", "remquo"},
    {"scalbln", "nnl", "ldexp"},
    {"scalbn", "nni", "ldexp"},
    {"tgamma", "nn", "tgamma"},
};

llvm::Type* type_of(char letter, llvm::Type* number) {
  llvm::LLVMContext& context = number->getContext();
  switch (letter) {
    case 'i':
      return llvm::Type::getInt32Ty(context);
    case 'l':
      return llvm::Type::getInt64Ty(context);
    case 'p':
      return llvm::PointerType::get(context, 0);
    default:
      return number;
  }
}

llvm::FunctionType* signature(llvm::StringRef types, llvm::Type* number) {
  llvm::SmallVector<llvm::Type*> parameters;
  for (const char letter : types.drop_front()) parameters.push_back(type_of(letter, number));
  return llvm::FunctionType::get(type_of(types.front(), number), parameters, false);
}

// The mangled name. A long parameter (scalbln's) becomes int, because ldexp takes int.
std::string name_in_library(const CFunction& function, const llvm::Type& number) {
  std::string name = mangled(function.library, "");
  for (const char letter : function.types.drop_front()) {
    if (letter == 'n')
      name += number.isFloatTy() ? "f" : "d";
    else
      name += letter == 'p' ? "Pi" : "i";
  }
  return name;
}

void replace_call(llvm::CallInst& call, const CFunction& function, llvm::Type* number) {
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Type*> types;
  llvm::SmallVector<llvm::Value*> arguments(call.args());
  for (llvm::Value*& argument : arguments) {
    if (argument->getType()->isIntegerTy(64)) {
      constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
      constexpr std::int64_t kGreatest = std::numeric_limits<std::int32_t>::max();
      argument = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, argument, builder.getInt64(kLeast));
      argument = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, argument, builder.getInt64(kGreatest));
      argument = builder.CreateTrunc(argument, builder.getInt32Ty());
    }
    types.push_back(argument->getType());
  }
  const llvm::FunctionCallee callee = call.getModule()->getOrInsertFunction(
      name_in_library(function, *number), llvm::FunctionType::get(call.getType(), types, false));
  llvm::CallInst* resolved = builder.CreateCall(callee, arguments);
  call.replaceAllUsesWith(resolved);
  call.eraseFromParent();
}

void replace_calls(llvm::Module& module, const CFunction& function, llvm::StringRef suffix,
                   llvm::Type* number) {
  llvm::Function* declared = module.getFunction((function.name + suffix).str());
  if (!declared || !declared->isDeclaration() ||
      declared->getFunctionType() != signature(function.types, number))
    return;
  for (llvm::User* user : llvm::make_early_inc_range(declared->users()))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == declared)
      replace_call(*call, function, number);
}

}  // namespace

llvm::PreservedAnalyses ResolveCMath::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (const CFunction& function : kFunctions) {
    replace_calls(module, function, "", llvm::Type::getDoubleTy(module.getContext()));
    replace_calls(module, function, "f", llvm::Type::getFloatTy(module.getContext()));
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
