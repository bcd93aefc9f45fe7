// SPDX-License-Identifier: Apache-2.0
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/KnownBits.h>

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

// An upper bound of an integer, or of a vector's elements.
llvm::APInt most(FunctionReader& reader, const llvm::Value* value) {
  return llvm::computeKnownBits(value, reader.module().module().getDataLayout()).getMaxValue();
}

// For a shift by the width or more: SPIR-V leaves the value undefined, while LLVM's poison makes undefined whatever depends on it.
llvm::Value* any_value(FunctionReader& reader, llvm::Value* value) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant) return reader.builder().CreateFreeze(value);
  if (llvm::isa<llvm::UndefValue>(constant)) return llvm::Constant::getNullValue(constant->getType());
  return llvm::Constant::replaceUndefsWith(
      constant, llvm::Constant::getNullValue(constant->getType()->getScalarType()));
}

llvm::Value* shifted(FunctionReader& reader, const Instruction& in, llvm::Value* base, llvm::Value* shift) {
  auto& builder = reader.builder();
  const Decorations& decorations = reader.module().decorations();
  switch (in.op()) {
    case Op::ShiftRightLogical:
      return builder.CreateLShr(base, shift);
    case Op::ShiftRightArithmetic:
      return builder.CreateAShr(base, shift);
    default:
      return builder.CreateShl(base, shift, "", decorations.has(in.result(), Decoration::NoUnsignedWrap),
                               decorations.has(in.result(), Decoration::NoSignedWrap));
  }
}

void read_shift(FunctionReader& reader, const Instruction& in) {
  llvm::Value* base = integer(reader, in[0]);
  llvm::Value* shift = amount(reader, in[1], base->getType());
  llvm::Value* value = shifted(reader, in, base, shift);
  const bool is_defined = most(reader, shift).ult(base->getType()->getScalarSizeInBits());
  reader.define(in, is_defined ? value : any_value(reader, value));
}

// The bits of a field, as numbers of the base's type.
struct Field {
  llvm::Value *offset, *count, *width, *is_empty;
};

// Whether a field lies within the base. The result is undefined otherwise.
bool is_within(FunctionReader& reader, const Field& field) {
  const unsigned width = field.width->getType()->getScalarSizeInBits();
  const llvm::APInt offset = most(reader, field.offset), count = most(reader, field.count);
  return offset.ule(width) && count.ule(width) && offset.getZExtValue() + count.getZExtValue() <= width;
}

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
  llvm::Value* whole = builder.CreateOr(kept, inserted);
  if (!is_within(reader, place)) whole = any_value(reader, whole);
  reader.define(in, builder.CreateSelect(place.is_empty, base, whole));
}

void extract_field(FunctionReader& reader, const Instruction& in, bool is_signed) {
  auto& builder = reader.builder();
  llvm::Value* base = integer(reader, in[0]);
  const Field place = field(reader, in, 1, base->getType());
  llvm::Value* above = builder.CreateSub(place.width, place.count);
  llvm::Value* high = builder.CreateShl(base, builder.CreateSub(above, place.offset));
  llvm::Value* value = is_signed ? builder.CreateAShr(high, above) : builder.CreateLShr(high, above);
  if (!is_within(reader, place)) value = any_value(reader, value);
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
