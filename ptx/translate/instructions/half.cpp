// SPDX-License-Identifier: Apache-2.0
// f16, bf16 and their pairs.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

llvm::Type* like(llvm::Type* shape, llvm::Type* element) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(shape);
  return vector ? llvm::FixedVectorType::get(element, vector->getNumElements()) : element;
}

// a * b + c, rounded to odd: where the f64 is not exact, its last bit is 1, and a second rounding to fewer bits is that of the exact sum.
// The product must be exact.
llvm::Value* fma_to_odd(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  llvm::Value* product = builder.CreateFMul(a, b);
  llvm::Value* sum = builder.CreateFAdd(product, c);
  // What the sum lacks, which is exact (Knuth's TwoSum).
  llvm::Value* added = builder.CreateFSub(sum, product);
  llvm::Value* lost = builder.CreateFAdd(builder.CreateFSub(product, builder.CreateFSub(sum, added)),
                                         builder.CreateFSub(c, added));
  llvm::Value* zero = llvm::Constant::getNullValue(sum->getType());
  llvm::Type* word = like(sum->getType(), builder.getInt64Ty());
  llvm::Value* one = llvm::ConstantInt::get(word, 1);
  llvm::Value* bits = builder.CreateBitCast(sum, word);
  llvm::Value* is_even =
      builder.CreateICmpEQ(builder.CreateAnd(bits, one), llvm::Constant::getNullValue(word));
  llvm::Value* is_inexact = builder.CreateFCmpONE(lost, zero);  // false for infinities and NaN
  llvm::Value* is_too_small =
      builder.CreateICmpEQ(builder.CreateFCmpOLT(lost, zero), builder.CreateFCmpOLT(sum, zero));
  llvm::Value* odd =
      builder.CreateSelect(is_too_small, builder.CreateAdd(bits, one), builder.CreateSub(bits, one));
  return builder.CreateBitCast(builder.CreateSelect(builder.CreateAnd(is_inexact, is_even), odd, bits),
                               sum->getType());
}

}  // namespace

// Computed in f32, whose 24 bits make the second rounding harmless for one operation on 11-bit significands.
void FunctionTranslator::half_arithmetic(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* a = flush_if(in, read(in, 1, type));
  llvm::Value* b = flush_if(in, read(in, 2, type));
  llvm::Type* wide = like(a->getType(), builder_.getFloatTy());
  llvm::Value *x = builder_.CreateFPExt(a, wide), *y = builder_.CreateFPExt(b, wide);
  const std::string_view opcode = in.form->opcode;
  llvm::Value* result = opcode == "add"   ? builder_.CreateFAdd(x, y)
                        : opcode == "sub" ? builder_.CreateFSub(x, y)
                                          : builder_.CreateFMul(x, y);
  write_float(in, builder_.CreateFPTrunc(result, a->getType()));
}

// Computed in f64, which represents every sum of an f16 and a product of two f16 exactly that f16 can represent. Beside a product of
// bf16, an addend may be too small for it.
void FunctionTranslator::half_fma(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* values[3];
  llvm::Type* narrow = type_of(type);
  llvm::Type* wide = like(narrow, builder_.getDoubleTy());
  for (unsigned i = 0; i < 3; ++i)
    values[i] = builder_.CreateFPExt(flush_if(in, read(in, i + 1, type)), wide);
  llvm::Value* result = type.kind == TypeKind::bfloat
                            ? fma_to_odd(builder_, values[0], values[1], values[2])
                            : builder_.CreateIntrinsic(llvm::Intrinsic::fma, {wide}, values);
  result = builder_.CreateFPTrunc(result, narrow);
  if (in.has(Modifier::relu)) {
    llvm::Value* zero = llvm::Constant::getNullValue(narrow);
    result = builder_.CreateSelect(builder_.CreateFCmpULT(zero, result), result, zero);
  }
  write_float(in, result);
}

}  // namespace clcuda::ptx
