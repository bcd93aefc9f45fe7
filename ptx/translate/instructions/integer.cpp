// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic: add sub mul mad mul24 sad div rem abs neg min max.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {

using llvm::Intrinsic::ID;

void FunctionTranslator::integer_add_sub(const Instruction& in) {
  const Type type = in.type();
  const bool add = in.form->opcode == "add";
  llvm::Value *a = read(in, 1, type), *b = read(in, 2, type);
  if (in.has(Modifier::sat)) {
    const ID saturating = type.is_signed() ? (add ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::ssub_sat)
                                           : (add ? llvm::Intrinsic::uadd_sat : llvm::Intrinsic::usub_sat);
    return write(in, 0, builder_.CreateBinaryIntrinsic(saturating, a, b), type.is_signed());
  }
  write(in, 0, add ? builder_.CreateAdd(a, b) : builder_.CreateSub(a, b), type.is_signed());
}

// The product in the width that the instruction names: its low half, its high half, or both.
llvm::Value* FunctionTranslator::multiply(const Instruction& in, llvm::Value* a, llvm::Value* b) {
  const Type type = in.type();
  const bool is_signed = type.is_signed();
  if (!in.has(Modifier::wide) && !in.has(Modifier::hi)) return builder_.CreateMul(a, b);
  llvm::Value* product =
      builder_.CreateMul(resize(a, 2u * type.bits, is_signed), resize(b, 2u * type.bits, is_signed));
  if (in.has(Modifier::wide)) return product;
  return builder_.CreateTrunc(builder_.CreateLShr(product, type.bits), a->getType());
}

void FunctionTranslator::integer_mul(const Instruction& in) {
  if (in.has(Modifier::wide) && in.type().bits == 64) refuse(in, "there is no product of 128 bits");
  write(in, 0, multiply(in, read(in, 1, in.type()), read(in, 2, in.type())), in.type().is_signed());
}

void FunctionTranslator::integer_mad(const Instruction& in) {
  const Type type = in.type();
  if (in.has(Modifier::wide) && type.bits == 64) refuse(in, "there is no product of 128 bits");
  if (in.has(Modifier::sat) && (!in.has(Modifier::hi) || type != Type{TypeKind::signed_integer, 32, 1}))
    refuse(in, "mad.sat is for .hi.s32");
  Type sum = type;
  if (in.has(Modifier::wide)) sum.bits = static_cast<std::uint16_t>(2 * type.bits);
  llvm::Value* product = multiply(in, read(in, 1, type), read(in, 2, type));
  llvm::Value* addend = read(in, 3, sum);
  write(in, 0,
        in.has(Modifier::sat) ? builder_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, product, addend)
                              : builder_.CreateAdd(product, addend),
        type.is_signed());
}

// The 48-bit product of two 24-bit numbers; .lo is its low, .hi its high 32 bits.
void FunctionTranslator::mul24(const Instruction& in) {
  const Type type = in.type();
  const auto low24 = [&](llvm::Value* value) {
    return resize(builder_.CreateTrunc(value, builder_.getIntNTy(24)), 64, type.is_signed());
  };
  llvm::Value* product = builder_.CreateMul(low24(read(in, 1, type)), low24(read(in, 2, type)));
  product = builder_.CreateTrunc(builder_.CreateLShr(product, in.has(Modifier::hi) ? 16 : 0),
                                 builder_.getInt32Ty());
  if (in.form->opcode == "mad24") {
    llvm::Value* addend = read(in, 3, type);
    product = in.has(Modifier::sat)
                  ? builder_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, product, addend)
                  : builder_.CreateAdd(product, addend);
  }
  write(in, 0, product, type.is_signed());
}

void FunctionTranslator::sad(const Instruction& in) {
  const Type type = in.type();
  llvm::Value *a = read(in, 1, type), *b = read(in, 2, type);
  llvm::Value* less = type.is_signed() ? builder_.CreateICmpSLT(a, b) : builder_.CreateICmpULT(a, b);
  llvm::Value* distance = builder_.CreateSelect(less, builder_.CreateSub(b, a), builder_.CreateSub(a, b));
  write(in, 0, builder_.CreateAdd(distance, read(in, 3, type)));
}

// Division by zero has no defined result in PTX and must not trap; nor must the one signed quotient that overflows.
void FunctionTranslator::integer_div(const Instruction& in) {
  const Type type = in.type();
  const bool quotient = in.form->opcode == "div";
  llvm::Value *a = read(in, 1, type), *b = read(in, 2, type);
  llvm::Value* zero = builder_.CreateICmpEQ(b, integer(type.bits, 0));
  llvm::Value* all_ones = llvm::Constant::getAllOnesValue(a->getType());
  llvm::Value* one = integer(type.bits, 1);
  llvm::Value* result = nullptr;
  if (type.is_signed()) {
    llvm::Value* minus_one = builder_.CreateICmpEQ(b, all_ones);
    llvm::Value* safe = builder_.CreateSelect(builder_.CreateOr(zero, minus_one), one, b);
    result = quotient ? builder_.CreateSDiv(a, safe) : builder_.CreateSRem(a, safe);
    if (quotient) result = builder_.CreateSelect(minus_one, builder_.CreateNeg(a), result);
  } else {
    llvm::Value* safe = builder_.CreateSelect(zero, one, b);
    result = quotient ? builder_.CreateUDiv(a, safe) : builder_.CreateURem(a, safe);
  }
  write(in, 0, builder_.CreateSelect(zero, quotient ? all_ones : a, result), type.is_signed());
}

void FunctionTranslator::integer_unary(const Instruction& in) {
  llvm::Value* a = read(in, 1, in.type());
  llvm::Value* result = in.form->opcode == "neg" ? builder_.CreateNeg(a)
                                                 : builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a,
                                                                                  builder_.getInt1(false));
  write(in, 0, result, true);
}

void FunctionTranslator::integer_min_max(const Instruction& in) {
  const Type type = in.type();
  const bool min = in.form->opcode == "min";
  const ID id = type.is_signed() ? (min ? llvm::Intrinsic::smin : llvm::Intrinsic::smax)
                                 : (min ? llvm::Intrinsic::umin : llvm::Intrinsic::umax);
  llvm::Value* result = builder_.CreateBinaryIntrinsic(id, read(in, 1, type), read(in, 2, type));
  if (in.has(Modifier::relu)) {
    if (!type.is_signed()) refuse(in, ".relu is for signed types");
    result = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, result,
                                            llvm::Constant::getNullValue(result->getType()));
  }
  write(in, 0, result, type.is_signed());
}

}  // namespace clcuda::ptx
