// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/APFloat.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/operands.h"

namespace clcuda::compiler::spirv {
namespace {

// Classifies a number. Options that exclude some kinds of number do not apply to these instructions.
llvm::Value* classify(FunctionReader& reader, const Instruction& in) {
  auto& builder = reader.builder();
  llvm::IRBuilderBase::FastMathFlagGuard guard(builder);
  builder.clearFastMathFlags();
  llvm::Value* value = floating(reader, in[0]);
  llvm::Type* type = value->getType();
  if (in.op() == Op::IsNan) return builder.CreateFCmpUNO(value, value);
  if (in.op() == Op::SignBitSet) {
    llvm::Type* bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
    return builder.CreateICmpSLT(builder.CreateBitCast(value, bits), llvm::Constant::getNullValue(bits));
  }
  llvm::Value* magnitude = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  llvm::Constant* infinity = llvm::ConstantFP::getInfinity(type);
  if (in.op() == Op::IsInf) return builder.CreateFCmpOEQ(magnitude, infinity);
  llvm::Value* is_finite = builder.CreateFCmpOLT(magnitude, infinity);
  if (in.op() == Op::IsFinite) return is_finite;
  const auto& semantics = type->getScalarType()->getFltSemantics();
  llvm::Constant* least = llvm::ConstantFP::get(type, llvm::APFloat::getSmallestNormalized(semantics));
  return builder.CreateAnd(is_finite, builder.CreateFCmpOGE(magnitude, least));
}

llvm::Value* reduce(FunctionReader& reader, const Instruction& in) {
  llvm::Value* value = boolean(reader, in[0]);
  require(value->getType()->isVectorTy(), "its operand is no vector");
  return in.op() == Op::Any ? reader.builder().CreateOrReduce(value)
                            : reader.builder().CreateAndReduce(value);
}

llvm::Value* combine(FunctionReader& reader, const Instruction& in) {
  auto& builder = reader.builder();
  const auto [left, right] = booleans(reader, in);
  switch (in.op()) {
    case Op::LogicalOr:
      return builder.CreateOr(left, right);
    case Op::LogicalAnd:
      return builder.CreateAnd(left, right);
    case Op::LogicalEqual:
      return builder.CreateICmpEQ(left, right);
    default:
      return builder.CreateICmpNE(left, right);
  }
}

llvm::Value* select(FunctionReader& reader, const Instruction& in) {
  llvm::Value* condition = boolean(reader, in[0]);
  llvm::Value* first = reader.value(in[1]);
  llvm::Value* second = reader.value(in[2]);
  require(first->getType() == second->getType() && first->getType()->isFirstClassType(),
          "its values have different types");
  if (condition->getType()->isVectorTy())
    require(reader.type_of(in[1]).is(TypeKind::vector) &&
                reader.type_of(in[1]).count == reader.type_of(in[0]).count,
            "its condition and its values have different numbers of elements");
  reader.take_alignment(in, {in[1], in[2]});
  return reader.builder().CreateSelect(condition, first, second);
}

llvm::Value* result_of(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::IsNan:
    case Op::IsInf:
    case Op::IsFinite:
    case Op::IsNormal:
    case Op::SignBitSet:
      return classify(reader, in);
    case Op::Any:
    case Op::All:
      return reduce(reader, in);
    case Op::LogicalEqual:
    case Op::LogicalNotEqual:
    case Op::LogicalOr:
    case Op::LogicalAnd:
      return combine(reader, in);
    case Op::LogicalNot:
      return reader.builder().CreateNot(boolean(reader, in[0]));
    case Op::Select:
      return select(reader, in);
    default:
      return nullptr;
  }
}

}  // namespace

bool read_logic(FunctionReader& reader, const Instruction& instruction) {
  llvm::Value* result = result_of(reader, instruction);
  if (result) reader.define(instruction, result);
  return result != nullptr;
}

}  // namespace clcuda::compiler::spirv
