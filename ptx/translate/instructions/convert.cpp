// SPDX-License-Identifier: Apache-2.0
// mov and cvt
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

std::string name_of(Type type) {
  const char* kind = type.kind == TypeKind::bfloat ? "bf"
                     : type.is_floating()          ? "f"
                     : type.is_signed()            ? "s"
                                                   : "u";
  return kind + std::to_string(type.bits);
}

}  // namespace

// Scalars, packing `mov.b64 d, {a, b}` and unpacking `mov.b64 {a, b}, s`.
void FunctionTranslator::move(const Instruction& in) {
  const Type type = in.type();
  const Operand &to = in.operands[0], &from = in.operands[1];
  const bool packs = from.kind == Operand::Kind::vector, unpacks = to.kind == Operand::Kind::vector;
  if (!packs && !unpacks) return write(in, 0, read(in, 1, type), type.is_signed());
  const std::size_t count = packs ? from.elements.size() : to.elements.size();
  const unsigned width = type.total_bits();
  if ((packs && unpacks) || count == 0 || width % count || width / count < 8 || type == kPredicateType)
    refuse(in, "the parts do not make up the whole");
  const unsigned part = width / static_cast<unsigned>(count);
  llvm::Value* whole = packs ? integer(width, 0) : as_integer(read(in, 1, type));
  for (unsigned i = 0; i < count; ++i) {
    if (packs)
      whole = builder_.CreateOr(
          whole, builder_.CreateShl(resize(read_bits(in, from.elements[i], part), width), i * part));
    else
      write(to.elements[i], resize(builder_.CreateLShr(whole, i * part), part));
  }
  if (packs) write(in, 0, whole);
}

void FunctionTranslator::convert(const Instruction& in) {
  const Type to = in.type(0), from = in.type(1);
  llvm::Value* value = read(in, 1, from);
  if (from.is_floating()) {
    if (from.bits == 32) value = flush_if(in, value);
    value = to.is_floating() ? float_to_float(in, value, from, to) : float_to_integer(in, value, from, to);
  } else if (to.is_floating()) {
    value = integer_to_float(in, value, from, to);
  } else {
    value =
        in.has(Modifier::sat) ? saturate_integer(value, from, to) : resize(value, to.bits, from.is_signed());
  }
  if (to.is_floating()) {
    if (to.bits == 32 && from.is_floating()) value = flush_if(in, value);
    if (in.has(Modifier::sat)) value = saturate(value);
  }
  write(in, 0, value, to.is_signed());
}

llvm::Value* FunctionTranslator::round_to_integral(const Instruction& in, llvm::Value* value) {
  const auto id = in.has(Modifier::rni) || in.has(Modifier::rn)   ? llvm::Intrinsic::roundeven
                  : in.has(Modifier::rmi) || in.has(Modifier::rm) ? llvm::Intrinsic::floor
                  : in.has(Modifier::rpi) || in.has(Modifier::rp) ? llvm::Intrinsic::ceil
                                                                  : llvm::Intrinsic::trunc;
  return builder_.CreateUnaryIntrinsic(id, value);
}

// Saturates. NaN becomes 0 or, if a 64-bit type takes part, the lowest signed or middle unsigned number.
llvm::Value* FunctionTranslator::float_to_integer(const Instruction& in, llvm::Value* value, Type from,
                                                  Type to) {
  if (from.bits == 16) value = builder_.CreateFPExt(value, builder_.getFloatTy());
  llvm::Value* integral = round_to_integral(in, value);
  llvm::Type* type = type_of(to);
  llvm::Value* result =
      builder_.CreateIntrinsic(to.is_signed() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                               {type, integral->getType()}, {integral});
  if (from.bits != 64 && to.bits != 64) return result;
  llvm::Value* nan = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(to.bits));
  return builder_.CreateSelect(builder_.CreateFCmpUNO(value, value), nan, result);
}

llvm::Value* FunctionTranslator::integer_to_float(const Instruction& in, llvm::Value* value, Type from,
                                                  Type to) {
  llvm::Type* type = type_of(to);
  if (const char* rounding = direction(in)) {
    // Extension to 64 bits by the value's signedness is exact, so one function per target type and signedness suffices. A 16-bit result is
    // rounded from f64: rounding twice in the same direction is the same as rounding once.
    constexpr Type kF64{TypeKind::floating, 64, 1};
    if (to.bits == 16) return float_to_float(in, integer_to_float(in, value, from, kF64), kF64, to);
    const Type wide{from.is_signed() ? TypeKind::signed_integer : TypeKind::unsigned_integer, 64, 1};
    const std::string name = "clcuda_cvt_" + name_of(to) + "_" + name_of(wide) + rounding;
    return call_runtime(name.c_str(), type, {resize(value, 64, from.is_signed())}, true);
  }
  // f64 has 53 bits only, so a 64-bit number rounded to f64 or f32 would be rounded twice on the way to 16 bits.
  if (to.bits == 16) {
    const std::string name = "clcuda_cvt_" + name_of(to) + (from.is_signed() ? "_s64" : "_u64");
    llvm::Value* bits =
        call_runtime(name.c_str(), builder_.getInt16Ty(), {resize(value, 64, from.is_signed())}, true);
    return builder_.CreateBitCast(bits, type);
  }
  return from.is_signed() ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
}

llvm::Value* FunctionTranslator::float_to_float(const Instruction& in, llvm::Value* value, Type from,
                                                Type to) {
  llvm::Type* type = type_of(to);
  const bool integral =
      in.has(Modifier::rni) || in.has(Modifier::rzi) || in.has(Modifier::rmi) || in.has(Modifier::rpi);
  if (from == to) return integral ? round_to_integral(in, value) : value;
  if (integral) refuse(in, "rounding to an integral value keeps the type");
  if (from.bits == 16) {
    value = builder_.CreateFPExt(value, builder_.getFloatTy());
    if (to.bits == 64) return builder_.CreateFPExt(value, type);
    if (to.bits == 32) return value;
  } else if (from.bits < to.bits) {
    return builder_.CreateFPExt(value, type);
  }
  if (const char* rounding = direction(in)) {
    const Type source = from.bits == 16 ? Type{TypeKind::floating, 32, 1} : from;
    const std::string name = "clcuda_cvt_" + name_of(to) + "_" + name_of(source) + rounding;
    llvm::Type* result = to.bits == 16 ? builder_.getInt16Ty() : type;
    llvm::Value* converted = call_runtime(name.c_str(), result, {value}, true);
    return to.bits == 16 ? builder_.CreateBitCast(converted, type) : converted;
  }
  return builder_.CreateFPTrunc(value, type);
}

llvm::Value* FunctionTranslator::saturate_integer(llvm::Value* value, Type from, Type to) {
  // One bit more than the wider type holds every value of both types.
  const unsigned width = std::max(from.bits, to.bits) + 1u;
  const llvm::APInt low =
      to.is_signed() ? llvm::APInt::getSignedMinValue(to.bits).sext(width) : llvm::APInt(width, 0);
  const llvm::APInt high = to.is_signed() ? llvm::APInt::getSignedMaxValue(to.bits).sext(width)
                                          : llvm::APInt::getMaxValue(to.bits).zext(width);
  llvm::Value* wide = resize(value, width, from.is_signed());
  wide = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, wide, builder_.getInt(low));
  wide = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, wide, builder_.getInt(high));
  return resize(wide, to.bits);
}

// d = {a, b}: a in the upper half.
void FunctionTranslator::convert_pack_half(const Instruction& in) {
  const Type to = in.type(0), from = in.type(1);
  llvm::Value* packed = llvm::PoisonValue::get(type_of(to));
  for (unsigned i = 0; i < 2; ++i) {
    llvm::Value* half = float_to_float(in, read(in, 2 - i, from), from, to.element());
    if (in.has(Modifier::relu)) {
      llvm::Value* zero = llvm::Constant::getNullValue(half->getType());
      half = builder_.CreateSelect(builder_.CreateFCmpULT(zero, half), half, zero);
    }
    packed = builder_.CreateInsertElement(packed, half, std::uint64_t{i});
  }
  write(in, 0, packed);
}

void FunctionTranslator::convert_pack_integer(const Instruction& in) {
  const Type to = in.type(0), from = in.type(1);
  llvm::Value* upper = resize(saturate_integer(read(in, 1, from), from, to), 32);
  llvm::Value* lower = resize(saturate_integer(read(in, 2, from), from, to), 32);
  write(in, 0, builder_.CreateOr(builder_.CreateShl(upper, 16), lower));
}

// The bytes of d from the top: the two low bytes of c, then a and b.
void FunctionTranslator::convert_pack_integer4(const Instruction& in) {
  const Type to = in.type(0), from = in.type(1);
  llvm::Value* upper = resize(saturate_integer(read(in, 1, from), from, to), 32);
  llvm::Value* lower = resize(saturate_integer(read(in, 2, from), from, to), 32);
  llvm::Value* pair = builder_.CreateOr(builder_.CreateShl(upper, 8), lower);
  write(in, 0, builder_.CreateOr(builder_.CreateShl(read(in, 3, bits_type(32)), 16), pair));
}

}  // namespace clcuda::ptx
