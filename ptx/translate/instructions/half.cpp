// SPDX-License-Identifier: Apache-2.0
// f16, bf16 and their pairs.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

llvm::Type* like(llvm::Type* shape, llvm::Type* element) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(shape);
  return vector ? llvm::FixedVectorType::get(element, vector->getNumElements()) : element;
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

// Computed in f64, which represents every sum of an f16 and a product of two f16 exactly.
void FunctionTranslator::half_fma(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* values[3];
  llvm::Type* narrow = type_of(type);
  llvm::Type* wide = like(narrow, builder_.getDoubleTy());
  for (unsigned i = 0; i < 3; ++i)
    values[i] = builder_.CreateFPExt(flush_if(in, read(in, i + 1, type)), wide);
  llvm::Value* result = builder_.CreateIntrinsic(llvm::Intrinsic::fma, {wide}, values);
  result = builder_.CreateFPTrunc(result, narrow);
  if (in.has(Modifier::relu)) {
    llvm::Value* zero = llvm::Constant::getNullValue(narrow);
    result = builder_.CreateSelect(builder_.CreateFCmpULT(zero, result), result, zero);
  }
  write_float(in, result);
}

}  // namespace clcuda::ptx
