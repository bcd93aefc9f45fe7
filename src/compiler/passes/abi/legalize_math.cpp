// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/legalize_math.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "compiler/passes/mangled_name.h"

namespace clcuda::compiler {
namespace {

using Values = llvm::SmallVector<llvm::Value*, 4>;

// Intrinsics that NVPTX cannot select (or only as an approximation), and the library function that has the same parameters.
struct Legal {
  llvm::Intrinsic::ID intrinsic;
  llvm::StringRef function;
};
constexpr Legal kFunctions[] = {
    {llvm::Intrinsic::sin, "sin"},   {llvm::Intrinsic::cos, "cos"},     {llvm::Intrinsic::tan, "tan"},
    {llvm::Intrinsic::asin, "asin"}, {llvm::Intrinsic::acos, "acos"},   {llvm::Intrinsic::atan, "atan"},
    {llvm::Intrinsic::sinh, "sinh"}, {llvm::Intrinsic::cosh, "cosh"},   {llvm::Intrinsic::tanh, "tanh"},
    {llvm::Intrinsic::exp, "exp"},   {llvm::Intrinsic::exp2, "exp2"},   {llvm::Intrinsic::exp10, "exp10"},
    {llvm::Intrinsic::log, "log"},   {llvm::Intrinsic::log2, "log2"},   {llvm::Intrinsic::log10, "log10"},
    {llvm::Intrinsic::pow, "pow"},   {llvm::Intrinsic::atan2, "atan2"}, {llvm::Intrinsic::powi, "pown"},
};

// Intrinsics with two results, each of which a separate function computes.
struct LegalPair {
  llvm::Intrinsic::ID intrinsic;
  llvm::StringRef first, second;
};
constexpr LegalPair kPairs[] = {{llvm::Intrinsic::sincos, "sin", "cos"},
                                {llvm::Intrinsic::sincospi, "sinpi", "cospi"}};

llvm::StringRef code_of(llvm::Type* type) {
  if (type->isIntegerTy()) return "i";
  return type->isHalfTy() ? "Dh" : type->isFloatTy() ? "f" : "d";
}

llvm::Value* call_scalar(llvm::IRBuilder<>& builder, llvm::StringRef function,
                         llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Type* type = arguments[0]->getType();
  if (type->isBFloatTy()) {
    Values wide(arguments);
    for (llvm::Value*& argument : wide)
      if (argument->getType() == type) argument = builder.CreateFPExt(argument, builder.getFloatTy());
    return builder.CreateFPTrunc(call_scalar(builder, function, wide), type);
  }
  std::string name = mangled(function, "");
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) {
    name += code_of(argument->getType());
    types.push_back(argument->getType());
  }
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module.getOrInsertFunction(name, llvm::FunctionType::get(type, types, false)),
                            arguments);
}

// Calls the function element by element. A scalar argument (powi's exponent) is used for all elements.
llvm::Value* call(llvm::IRBuilder<>& builder, llvm::StringRef function,
                  llvm::ArrayRef<llvm::Value*> arguments) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(arguments[0]->getType());
  if (!vector) return call_scalar(builder, function, arguments);
  llvm::Value* result = llvm::PoisonValue::get(arguments[0]->getType());
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    Values elements(arguments);
    for (llvm::Value*& element : elements)
      if (element->getType()->isVectorTy()) element = builder.CreateExtractElement(element, i);
    result = builder.CreateInsertElement(result, call_scalar(builder, function, elements), i);
  }
  return result;
}

llvm::Value* pair(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* first, llvm::Value* second) {
  return builder.CreateInsertValue(builder.CreateInsertValue(llvm::PoisonValue::get(type), first, 0), second,
                                   1);
}

// modf: the fractional part, which has x's sign and is zero for an infinity, and the integral part.
llvm::Value* parts(llvm::IRBuilder<>& builder, llvm::IntrinsicInst& intrinsic) {
  llvm::Value* x = intrinsic.getArgOperand(0);
  llvm::Value* whole = builder.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x);
  llvm::Value* is_infinite = builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x),
                                                   llvm::ConstantFP::getInfinity(x->getType()));
  llvm::Value* rest = builder.CreateSelect(is_infinite, llvm::ConstantFP::getZero(x->getType()),
                                           builder.CreateFSub(x, whole));
  rest = builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, rest, x);
  return pair(builder, intrinsic.getType(), rest, whole);
}

// The rounded value, saturated to the range of long: out of range C leaves the value unspecified, but requires one. (Clang's `long long`,
// which OpenCL C reserves, has 128 bits.)
llvm::Value* integer(llvm::IRBuilder<>& builder, llvm::IntrinsicInst& intrinsic,
                     llvm::Intrinsic::ID rounding) {
  constexpr unsigned kMostBits = 64;
  llvm::Value* x = builder.CreateUnaryIntrinsic(rounding, intrinsic.getArgOperand(0));
  llvm::Type* type = intrinsic.getType();
  llvm::Type* converted =
      type->getScalarSizeInBits() > kMostBits ? type->getWithNewBitWidth(kMostBits) : type;
  llvm::Value* number = builder.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {converted, x->getType()}, {x});
  return builder.CreateSExt(number, type);
}

// canonicalize in single precision, also of halves: NVPTX selects it for a half, but not for the vectors of two that the optimiser forms.
llvm::Value* canonical(llvm::IRBuilder<>& builder, llvm::Value* x) {
  llvm::Type* single = x->getType()->getWithNewType(builder.getFloatTy());
  llvm::Value* wide = builder.CreateFPExt(x, single);
  return builder.CreateFPTrunc(builder.CreateUnaryIntrinsic(llvm::Intrinsic::canonicalize, wide),
                               x->getType());
}

// x to a small power is computed by multiplications: each one's rounding adds at most one ulp, and pown may have an error of 16 ulp.
constexpr std::uint64_t kGreatestMultiplied = 16;

llvm::Value* power(llvm::IRBuilder<>& builder, llvm::Value* x, std::uint64_t exponent) {
  llvm::Value* result = nullptr;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result ? builder.CreateFMul(result, x) : x;
    if (exponent > 1) x = builder.CreateFMul(x, x);
  }
  return result ? result : llvm::ConstantFP::get(x->getType(), 1.0);
}

// The exponent of powi, if it is a small constant.
const llvm::ConstantInt* small_exponent(const llvm::IntrinsicInst& intrinsic) {
  if (intrinsic.getIntrinsicID() != llvm::Intrinsic::powi) return nullptr;
  const auto* exponent = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getArgOperand(1));
  return exponent && exponent->getValue().ule(kGreatestMultiplied) ? exponent : nullptr;
}

// The replacement of an intrinsic; null if NVPTX can select the intrinsic itself.
llvm::Value* replacement(llvm::IntrinsicInst& intrinsic) {
  llvm::IRBuilder<> builder(&intrinsic);
  const llvm::Intrinsic::ID id = intrinsic.getIntrinsicID();
  const Values arguments(intrinsic.args());
  if (const llvm::ConstantInt* exponent = small_exponent(intrinsic))
    return power(builder, arguments[0], exponent->getZExtValue());
  if (const auto one = std::ranges::find(kFunctions, id, &Legal::intrinsic); one != std::end(kFunctions))
    return call(builder, one->function, arguments);
  if (const auto two = std::ranges::find(kPairs, id, &LegalPair::intrinsic); two != std::end(kPairs))
    return pair(builder, intrinsic.getType(), call(builder, two->first, arguments),
                call(builder, two->second, arguments));
  switch (id) {
    case llvm::Intrinsic::modf:
      return parts(builder, intrinsic);
    case llvm::Intrinsic::lround:
    case llvm::Intrinsic::llround:
      return integer(builder, intrinsic, llvm::Intrinsic::round);
    case llvm::Intrinsic::lrint:
    case llvm::Intrinsic::llrint:
      return integer(builder, intrinsic, llvm::Intrinsic::rint);
    case llvm::Intrinsic::canonicalize:
      return intrinsic.getType()->getScalarSizeInBits() == 16 ? canonical(builder, arguments[0]) : nullptr;
    default:
      return nullptr;
  }
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
    llvm::Value* legal = replacement(*intrinsic);
    if (!legal) continue;
    intrinsic->replaceAllUsesWith(legal);
    intrinsic->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
