// SPDX-License-Identifier: Apache-2.0
// f32 and f64 arithmetic. Rounding to nearest is done by LLVM's instructions, directed rounding by functions that set the host's rounding
// mode.
#include <llvm/ADT/APFloat.h>

#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
const char* direction(const Instruction& in) {
  if (in.has(Modifier::rz)) return "_rz";
  if (in.has(Modifier::rm)) return "_rm";
  if (in.has(Modifier::rp)) return "_rp";
  return nullptr;
}

// Subnormal → zero of the same sign.
llvm::Value* FunctionTranslator::flush(llvm::Value* value) {
  llvm::Type* type = value->getType();
  const auto& semantics = type->getScalarType()->getFltSemantics();
  llvm::Value* smallest = llvm::ConstantFP::get(type, llvm::APFloat::getSmallestNormalized(semantics));
  llvm::Value* tiny =
      builder_.CreateFCmpOLT(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value), smallest);
  llvm::Value* zero =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, llvm::Constant::getNullValue(type), value);
  return builder_.CreateSelect(tiny, zero, value);
}

llvm::Value* FunctionTranslator::flush_if(const Instruction& in, llvm::Value* value) {
  return in.has(Modifier::ftz) ? flush(value) : value;
}

// Clamps to [0, 1]; NaN becomes 0.
llvm::Value* FunctionTranslator::saturate(llvm::Value* value) {
  llvm::Type* type = value->getType();
  llvm::Value *zero = llvm::Constant::getNullValue(type), *one = llvm::ConstantFP::get(type, 1.0);
  value = builder_.CreateSelect(builder_.CreateFCmpOGT(value, zero), value, zero);
  return builder_.CreateSelect(builder_.CreateFCmpOLT(value, one), value, one);
}

void FunctionTranslator::write_float(const Instruction& in, llvm::Value* value) {
  value = flush_if(in, value);
  if (in.has(Modifier::sat)) value = saturate(value);
  write(in, 0, value);
}

// clcuda_<operation>_<f32|f64>_<rz|rm|rp>, ptx/execute/directed_rounding.cpp
llvm::Value* FunctionTranslator::directed(const Instruction& in, const char* operation,
                                          llvm::ArrayRef<llvm::Value*> values) {
  llvm::Type* type = values.front()->getType();
  const std::string name =
      std::string("clcuda_") + operation + (type->isFloatTy() ? "_f32" : "_f64") + direction(in);
  return call_runtime(name.c_str(), type, values, true);
}

void FunctionTranslator::float_add_sub_mul(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* a = flush_if(in, read(in, 1, type));
  llvm::Value* b = flush_if(in, read(in, 2, type));
  const bool product = in.form->opcode == "mul";
  if (in.form->opcode == "sub") b = builder_.CreateFNeg(b);  // exact, and the same rounding as subtracting
  if (direction(in)) return write_float(in, directed(in, product ? "mul" : "add", {a, b}));
  write_float(in, product ? builder_.CreateFMul(a, b) : builder_.CreateFAdd(a, b));
}

void FunctionTranslator::float_fma(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* a = flush_if(in, read(in, 1, type));
  llvm::Value* b = flush_if(in, read(in, 2, type));
  llvm::Value* c = flush_if(in, read(in, 3, type));
  if (direction(in)) return write_float(in, directed(in, "fma", {a, b, c}));
  write_float(in, builder_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c}));
}

// .approx and .full may have an error of 2 ulp; here they are correctly rounded.
void FunctionTranslator::float_div(const Instruction& in) {
  llvm::Value* a = flush_if(in, read(in, 1, in.type()));
  llvm::Value* b = flush_if(in, read(in, 2, in.type()));
  write_float(in, direction(in) ? directed(in, "div", {a, b}) : builder_.CreateFDiv(a, b));
}

void FunctionTranslator::float_rcp(const Instruction& in) {
  llvm::Value* a = flush_if(in, read(in, 1, in.type()));
  llvm::Value* one = llvm::ConstantFP::get(a->getType(), 1.0);
  write_float(in, direction(in) ? directed(in, "div", {one, a}) : builder_.CreateFDiv(one, a));
}

void FunctionTranslator::float_sqrt(const Instruction& in) {
  llvm::Value* a = flush_if(in, read(in, 1, in.type()));
  write_float(in, direction(in) ? directed(in, "sqrt", {a})
                                : builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a));
}

void FunctionTranslator::float_rsqrt(const Instruction& in) {
  llvm::Value* a = flush_if(in, read(in, 1, in.type()));
  llvm::Value* root = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
  write_float(in, builder_.CreateFDiv(llvm::ConstantFP::get(a->getType(), 1.0), root));
}

void FunctionTranslator::float_sign(const Instruction& in) {
  llvm::Value* a = flush_if(in, read(in, 1, in.type()));
  write(in, 0,
        in.form->opcode == "neg" ? builder_.CreateFNeg(a)
                                 : builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a));
}

// If one operand is NaN, the result is the other one (unless .NaN). -0 is less than +0.
void FunctionTranslator::float_min_max(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* a = flush_if(in, read(in, 1, type));
  llvm::Value* b = flush_if(in, read(in, 2, type));
  llvm::Value* sign = nullptr;
  if (in.has(Modifier::xorsign)) {
    if (!in.has(Modifier::abs_) || type == Type{TypeKind::floating, 64, 1})
      refuse(in, ".xorsign goes with .abs and not with .f64");
    sign = builder_.CreateXor(as_integer(a), as_integer(b));
    a = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
    b = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, b);
  }
  const bool min = in.form->opcode == "min";
  const auto id = in.has(Modifier::nan_) ? (min ? llvm::Intrinsic::minimum : llvm::Intrinsic::maximum)
                                         : (min ? llvm::Intrinsic::minimumnum : llvm::Intrinsic::maximumnum);
  llvm::Value* result = builder_.CreateBinaryIntrinsic(id, a, b);
  // A NaN result is always the canonical NaN.
  llvm::Value* ordered = builder_.CreateFCmpORD(result, result);
  const std::uint64_t canonical = type.bits == 64   ? 0x7ff8000000000000ull
                                  : type.bits == 32 ? 0x7fffffffull
                                                    : 0x7fffull;
  if (sign) {
    llvm::Value* bits = builder_.CreateBitCast(sign, result->getType());
    result = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, bits);
  }
  llvm::Type* element = builder_.getIntNTy(type.bits);
  llvm::Type* shape = type.lanes == 1 ? element : llvm::FixedVectorType::get(element, type.lanes);
  llvm::Value* nan = builder_.CreateBitCast(llvm::ConstantInt::get(shape, canonical), result->getType());
  write(in, 0, builder_.CreateSelect(ordered, result, nan));
}

void FunctionTranslator::float_copysign(const Instruction& in) {
  // d = |b| with the sign of a
  write(in, 0,
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, read(in, 2, in.type()),
                                       read(in, 1, in.type())));
}

void FunctionTranslator::float_test(const Instruction& in) {
  unsigned classes = 0;
  if (in.has(Modifier::finite))
    classes = llvm::fcFinite;
  else if (in.has(Modifier::infinite))
    classes = llvm::fcInf;
  else if (in.has(Modifier::number))
    classes = llvm::fcAllFlags & ~llvm::fcNan;
  else if (in.has(Modifier::notanumber))
    classes = llvm::fcNan;
  else if (in.has(Modifier::normal))
    classes = llvm::fcNormal | llvm::fcZero;
  else
    classes = llvm::fcSubnormal;
  write(in, 0, builder_.createIsFPClass(read(in, 1, in.type()), classes));
}

}  // namespace clcuda::ptx
