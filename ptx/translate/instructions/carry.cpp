// SPDX-License-Identifier: Apache-2.0
// Extended precision: add.cc addc sub.cc subc mad.cc madc, over the carry flag CC.CF.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

bool reads_carry(const Instruction& in) { return in.form->opcode.ends_with('c'); }

}  // namespace

void FunctionTranslator::carry_add_sub(const Instruction& in) {
  if (!carry_) carry_ = new_alloca(builder_.getInt1Ty(), llvm::Align(1), "carry");
  const unsigned width = in.type().bits;
  const bool add = in.form->opcode.starts_with("add");
  llvm::Value* a = resize(read(in, 1, bits_type(width)), width + 2);
  llvm::Value* b = resize(read(in, 2, bits_type(width)), width + 2);
  llvm::Value* sum = add ? builder_.CreateAdd(a, b) : builder_.CreateSub(a, b);
  if (reads_carry(in)) {
    llvm::Value* carry = resize(builder_.CreateLoad(builder_.getInt1Ty(), carry_), width + 2);
    sum = add ? builder_.CreateAdd(sum, carry) : builder_.CreateSub(sum, carry);
  }
  if (in.has(Modifier::cc))
    builder_.CreateStore(builder_.CreateTrunc(builder_.CreateLShr(sum, width), builder_.getInt1Ty()), carry_);
  write(in, 0, resize(sum, width));
}

void FunctionTranslator::carry_mad(const Instruction& in) {
  if (!carry_) carry_ = new_alloca(builder_.getInt1Ty(), llvm::Align(1), "carry");
  const unsigned width = in.type().bits;
  const bool is_signed = in.type().is_signed();
  llvm::Value* a = resize(read(in, 1, in.type()), 2 * width, is_signed);
  llvm::Value* b = resize(read(in, 2, in.type()), 2 * width, is_signed);
  llvm::Value* product = builder_.CreateLShr(builder_.CreateMul(a, b), in.has(Modifier::hi) ? width : 0);
  llvm::Value* sum = builder_.CreateAdd(resize(resize(product, width), width + 1),
                                        resize(read(in, 3, bits_type(width)), width + 1));
  if (reads_carry(in))
    sum = builder_.CreateAdd(sum, resize(builder_.CreateLoad(builder_.getInt1Ty(), carry_), width + 1));
  if (in.has(Modifier::cc))
    builder_.CreateStore(builder_.CreateTrunc(builder_.CreateLShr(sum, width), builder_.getInt1Ty()), carry_);
  write(in, 0, resize(sum, width));
}

}  // namespace clcuda::ptx
