// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/operands.h"

namespace clcuda::compiler::spirv {
namespace {

// The shift amount may have another width than the base.
llvm::Value* amount(FunctionReader& reader, std::uint32_t id, llvm::Type* type) {
  llvm::Value* value = integer(reader, id);
  require(type->isVectorTy() == value->getType()->isVectorTy(),
          "its operands have different numbers of elements");
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    require(vector->getNumElements() == llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements(),
            "its operands have different numbers of elements");
  return reader.builder().CreateZExtOrTrunc(value, type);
}

void read_shift(FunctionReader& reader, const Instruction& in) {
  auto& builder = reader.builder();
  const Decorations& decorations = reader.module().decorations();
  llvm::Value* base = integer(reader, in[0]);
  llvm::Value* shift = amount(reader, in[1], base->getType());
  if (in.op() == Op::ShiftRightLogical) {
    reader.define(in, builder.CreateLShr(base, shift));
  } else if (in.op() == Op::ShiftRightArithmetic) {
    reader.define(in, builder.CreateAShr(base, shift));
  } else {
    reader.define(in,
                  builder.CreateShl(base, shift, "", decorations.has(in.result(), Decoration::NoUnsignedWrap),
                                    decorations.has(in.result(), Decoration::NoSignedWrap)));
  }
}

// The bits of a field, as numbers of the base's type.
struct Field {
  llvm::Value *offset, *count, *width, *is_empty;
};

Field field(FunctionReader& reader, const Instruction& in, std::size_t at, llvm::Type* type) {
  auto& builder = reader.builder();
  const auto scalar = [&](std::uint32_t id) {
    llvm::Value* value = integer(reader, id);
    require(value->getType()->isIntegerTy(), "a field's place is no scalar");
    value = builder.CreateZExtOrTrunc(value, type->getScalarType());
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? builder.CreateVectorSplat(vector->getNumElements(), value) : value;
  };
  Field field{scalar(in[at]), scalar(in[at + 1]), llvm::ConstantInt::get(type, type->getScalarSizeInBits()),
              nullptr};
  field.is_empty = builder.CreateICmpEQ(field.count, llvm::Constant::getNullValue(type));
  return field;
}

void insert_field(FunctionReader& reader, const Instruction& in) {
  auto& builder = reader.builder();
  const auto [base, insert] = integers(reader, in);
  const Field place = field(reader, in, 2, base->getType());
  llvm::Value* ones = llvm::Constant::getAllOnesValue(base->getType());
  llvm::Value* mask =
      builder.CreateShl(builder.CreateLShr(ones, builder.CreateSub(place.width, place.count)), place.offset);
  llvm::Value* kept = builder.CreateAnd(base, builder.CreateNot(mask));
  llvm::Value* inserted = builder.CreateAnd(builder.CreateShl(insert, place.offset), mask);
  reader.define(in, builder.CreateSelect(place.is_empty, base, builder.CreateOr(kept, inserted)));
}

void extract_field(FunctionReader& reader, const Instruction& in, bool is_signed) {
  auto& builder = reader.builder();
  llvm::Value* base = integer(reader, in[0]);
  const Field place = field(reader, in, 1, base->getType());
  llvm::Value* above = builder.CreateSub(place.width, place.count);
  llvm::Value* high = builder.CreateShl(base, builder.CreateSub(above, place.offset));
  llvm::Value* value = is_signed ? builder.CreateAShr(high, above) : builder.CreateLShr(high, above);
  reader.define(in,
                builder.CreateSelect(place.is_empty, llvm::Constant::getNullValue(base->getType()), value));
}

void count_bits(FunctionReader& reader, const Instruction& in) {
  auto& builder = reader.builder();
  const Type& type = reader.type(in.type());
  llvm::Value* count = builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, integer(reader, in[0]));
  require(type.scalar().is(TypeKind::integer) && type.lanes() == reader.type_of(in[0]).lanes(),
          "its result is no number of bits");
  reader.define(in, builder.CreateZExtOrTrunc(count, type.value));
}

bool read_logical(FunctionReader& reader, const Instruction& in) {
  auto& builder = reader.builder();
  const auto [left, right] = integers(reader, in);
  switch (in.op()) {
    case Op::BitwiseAnd:
      reader.define(in, builder.CreateAnd(left, right));
      return true;
    case Op::BitwiseOr:
      reader.define(in, builder.CreateOr(left, right));
      return true;
    default:
      reader.define(in, builder.CreateXor(left, right));
      return true;
  }
}

}  // namespace

bool read_bits(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::BitwiseAnd:
    case Op::BitwiseOr:
    case Op::BitwiseXor:
      return read_logical(reader, in);
    case Op::ShiftRightLogical:
    case Op::ShiftRightArithmetic:
    case Op::ShiftLeftLogical:
      read_shift(reader, in);
      return true;
    case Op::Not:
      reader.define(in, reader.builder().CreateNot(integer(reader, in[0])));
      return true;
    case Op::BitFieldInsert:
      insert_field(reader, in);
      return true;
    case Op::BitFieldSExtract:
    case Op::BitFieldUExtract:
      extract_field(reader, in, in.op() == Op::BitFieldSExtract);
      return true;
    case Op::BitReverse:
      reader.define(
          in, reader.builder().CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, integer(reader, in[0])));
      return true;
    case Op::BitCount:
      count_bits(reader, in);
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
