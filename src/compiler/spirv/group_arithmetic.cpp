// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/group_arithmetic.h"

#include <llvm/IR/Intrinsics.h>

#include <vector>

#include "compiler/spirv/group_values.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

void check_operands(const llvm::Type* type, OperandKind operands) {
  switch (operands) {
    case OperandKind::integers:
      return require(type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1),
                     "its operand is not of integers");
    case OperandKind::floating:
      return require(type->isFPOrFPVectorTy(), "its operand is not of floating-point numbers");
    case OperandKind::booleans:
      return require(type->isIntOrIntVectorTy(1), "its operand is not of booleans");
  }
}

llvm::CallInst* call(llvm::IRBuilderBase& builder, const std::string& function, llvm::Value* number,
                     Sign sign, llvm::Value* cluster) {
  std::vector<BuiltinArgument> arguments = {{number_type(number->getType(), sign), number}};
  if (cluster) arguments.push_back({kUnsignedInt, cluster});
  return call_builtin(builder, function, number->getType(), arguments);
}

// The library's work-group functions have no 8-bit and 16-bit versions, so 32-bit ones are used. The identity of a 32-bit minimum or
// maximum is outside the narrow type's range; clamping turns it into the narrow type's identity.
llvm::Value* narrow(llvm::IRBuilderBase& builder, llvm::Value* wide, llvm::Type* type, Sign sign) {
  const unsigned bits = type->getIntegerBitWidth();
  const auto bound = [&](llvm::Intrinsic::ID id, const llvm::APInt& value) {
    wide = builder.CreateBinaryIntrinsic(id, wide, llvm::ConstantInt::get(wide->getType(), value));
  };
  if (sign == Sign::with) {
    bound(llvm::Intrinsic::smin, llvm::APInt::getSignedMaxValue(bits).sext(32));
    bound(llvm::Intrinsic::smax, llvm::APInt::getSignedMinValue(bits).sext(32));
  } else {
    bound(llvm::Intrinsic::umin, llvm::APInt::getMaxValue(bits).zext(32));
  }
  return builder.CreateTrunc(wide, type);
}

llvm::Value* combine_number(llvm::IRBuilderBase& builder, const std::string& function,
                            const Combination& combination, llvm::Value* number, llvm::Value* cluster) {
  llvm::Type* type = number->getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() >= 32 ||
      !llvm::StringRef(function).starts_with("work_group"))
    return call(builder, function, number, combination.sign, cluster);
  const bool is_signed = combination.sign == Sign::with;
  llvm::Value* wide = call(builder, function, builder.CreateIntCast(number, builder.getInt32Ty(), is_signed),
                           combination.sign, cluster);
  const llvm::StringRef name(function);
  if (name.ends_with("_min") || name.ends_with("_max")) return narrow(builder, wide, type, combination.sign);
  return builder.CreateTrunc(wide, type);
}

}  // namespace

std::string reduction_name(GroupOperation operation, const Combination& combination) {
  switch (operation) {
    case GroupOperation::Reduce:
      return std::string("reduce_") + combination.function;
    case GroupOperation::InclusiveScan:
      return std::string("scan_inclusive_") + combination.function;
    case GroupOperation::ExclusiveScan:
      return std::string("scan_exclusive_") + combination.function;
    default:
      refuse("its group operation is neither a reduction nor a scan");
  }
}

llvm::Value* combine(llvm::IRBuilderBase& builder, const std::string& function,
                     const Combination& combination, llvm::Value* value, llvm::Value* cluster) {
  check_operands(value->getType(), combination.operands);
  return exchange_numbers(builder, value, [&](llvm::Value* number) {
    return combine_number(builder, function, combination, number, cluster);
  });
}

}  // namespace clcuda::compiler::spirv
