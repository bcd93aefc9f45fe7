// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Constants.h>

#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/operands.h"

namespace clcuda::compiler::spirv {
namespace {

struct Halves {
  llvm::Value *low, *high;
};

// The carry or borrow as a number of the operands' type.
Halves with_carry(FunctionReader& reader, const Operands& operands, bool is_sum) {
  auto& builder = reader.builder();
  const auto [left, right] = operands;
  llvm::Value* low = is_sum ? builder.CreateAdd(left, right) : builder.CreateSub(left, right);
  llvm::Value* carries = is_sum ? builder.CreateICmpULT(low, left) : builder.CreateICmpULT(left, right);
  return {low, builder.CreateZExt(carries, left->getType())};
}

Halves product(FunctionReader& reader, const Operands& operands, bool is_signed) {
  auto& builder = reader.builder();
  const auto [left, right] = operands;
  llvm::Type* type = left->getType();
  const unsigned width = type->getScalarSizeInBits();
  llvm::Type* wide = type->getWithNewBitWidth(2 * width);
  const auto extend = [&](llvm::Value* value) { return builder.CreateIntCast(value, wide, is_signed); };
  llvm::Value* result = builder.CreateMul(extend(left), extend(right));
  return {builder.CreateTrunc(result, type), builder.CreateTrunc(builder.CreateLShr(result, width), type)};
}

void define(FunctionReader& reader, const Instruction& in, const Halves& halves) {
  const Type& type = reader.type(in.type());
  require(type.is(TypeKind::structure) && type.members.size() == 2 &&
              type.members[0]->value == halves.low->getType() &&
              type.members[1]->value == halves.low->getType(),
          "its result is no structure of two members of the operands' type");
  auto& builder = reader.builder();
  llvm::Value* result = builder.CreateInsertValue(llvm::PoisonValue::get(type.value), halves.low, 0);
  reader.define(in, builder.CreateInsertValue(result, halves.high, 1));
}

}  // namespace

bool read_extended_arithmetic(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::IAddCarry:
      define(reader, in, with_carry(reader, integers(reader, in), true));
      return true;
    case Op::ISubBorrow:
      define(reader, in, with_carry(reader, integers(reader, in), false));
      return true;
    case Op::UMulExtended:
      define(reader, in, product(reader, integers(reader, in), false));
      return true;
    case Op::SMulExtended:
      define(reader, in, product(reader, integers(reader, in), true));
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
