// SPDX-License-Identifier: Apache-2.0
// Logic, shifts, counting and permuting bits.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {

void FunctionTranslator::logic(const Instruction& in) {
  const Type type = in.type();
  llvm::Value *a = read(in, 1, type), *b = read(in, 2, type);
  const std::string_view opcode = in.form->opcode;
  write(in, 0,
        opcode == "and"  ? builder_.CreateAnd(a, b)
        : opcode == "or" ? builder_.CreateOr(a, b)
                         : builder_.CreateXor(a, b));
}

void FunctionTranslator::logic_not(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* a = read(in, 1, type);
  if (in.form->opcode == "not") return write(in, 0, builder_.CreateNot(a));
  write(in, 0, resize(builder_.CreateICmpEQ(a, integer(type.bits, 0)), type.bits));
}

// Three values combined by an 8-bit truth table, as a sum of its minterms, which LLVM simplifies later.
llvm::Value* FunctionTranslator::lookup3(const Instruction& in, std::size_t first) {
  const Type word = bits_type(32);
  llvm::Value* inputs[3] = {read(in, first, word), read(in, first + 1, word), read(in, first + 2, word)};
  const Operand& table = in.operands.at(first + 3);
  if (table.kind != Operand::Kind::immediate) refuse(in, "the table of lop3 must be a constant");
  llvm::Value* result = builder_.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table.bits >> row & 1)) continue;
    llvm::Value* term = builder_.getInt32(~0u);
    for (unsigned i = 0; i < 3; ++i)
      term = builder_.CreateAnd(term, row >> (2 - i) & 1 ? inputs[i] : builder_.CreateNot(inputs[i]));
    result = builder_.CreateOr(result, term);
  }
  return result;
}

void FunctionTranslator::lop3(const Instruction& in) { write(in, 0, lookup3(in, 1)); }

void FunctionTranslator::lop3_bool(const Instruction& in) {
  llvm::Value* result = lookup3(in, 1);
  llvm::Value* nonzero = builder_.CreateICmpNE(result, builder_.getInt32(0));
  llvm::Value* other = read(in, 5, kPredicateType);
  write_pair(in, result,
             in.has(Modifier::or_) ? builder_.CreateOr(nonzero, other) : builder_.CreateAnd(nonzero, other));
}

// Amounts are not reduced modulo the width: from the width on, every bit is shifted out.
void FunctionTranslator::shift(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* a = read(in, 1, type);
  llvm::Value* amount = read(in, 2, unsigned_type(32));
  if (in.form->opcode == "shl") return write(in, 0, shift_left(a, amount));
  if (!type.is_signed()) return write(in, 0, shift_right(a, amount));
  llvm::Value* clamped =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, builder_.getInt32(type.bits - 1u));
  write(in, 0, builder_.CreateAShr(a, resize(clamped, type.bits)), true);
}

llvm::Value* FunctionTranslator::shift_left(llvm::Value* value, llvm::Value* amount) {
  return shift(llvm::Instruction::Shl, value, amount);
}

llvm::Value* FunctionTranslator::shift_right(llvm::Value* value, llvm::Value* amount) {
  return shift(llvm::Instruction::LShr, value, amount);
}

// The result is 0 if the amount is not less than the width, for which LLVM's shifts are undefined.
llvm::Value* FunctionTranslator::shift(llvm::Instruction::BinaryOps direction, llvm::Value* value,
                                       llvm::Value* amount) {
  const unsigned width = value->getType()->getIntegerBitWidth();
  llvm::Value* inside = builder_.CreateICmpULT(amount, builder_.getInt32(width));
  llvm::Value* within = resize(builder_.CreateAnd(amount, builder_.getInt32(width - 1)), width);
  return builder_.CreateSelect(inside, builder_.CreateBinOp(direction, value, within), integer(width, 0));
}

// shf: the upper (l) or lower (r) word of {b, a} after a shift; clamp allows an amount of 32, which selects a whole word.
void FunctionTranslator::funnel_shift(const Instruction& in) {
  const Type word = bits_type(32);
  llvm::Value *low = read(in, 1, word), *high = read(in, 2, word), *amount = read(in, 3, word);
  const bool left = in.has(Modifier::left);
  if (in.has(Modifier::wrap))
    return write(in, 0,
                 builder_.CreateIntrinsic(left ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr,
                                          {builder_.getInt32Ty()}, {high, low, amount}));
  llvm::Value* both = builder_.CreateOr(builder_.CreateShl(resize(high, 64), 32), resize(low, 64));
  llvm::Value* clamped =
      resize(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, builder_.getInt32(32)), 64);
  llvm::Value* shifted =
      left ? builder_.CreateLShr(builder_.CreateShl(both, clamped), 32) : builder_.CreateLShr(both, clamped);
  write(in, 0, resize(shifted, 32));
}

void FunctionTranslator::count_bits(const Instruction& in) {
  llvm::Value* a = read(in, 1, in.type());
  llvm::Value* result = in.form->opcode == "popc" ? builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, a)
                                                  : builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a,
                                                                                   builder_.getInt1(false));
  write(in, 0, resize(result, 32));
}

// bfind: the position of the highest bit that differs from the sign, or -1; shiftamt: the shift that moves this bit to the top.
void FunctionTranslator::find_bit(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* a = read(in, 1, type);
  if (type.is_signed()) a = builder_.CreateXor(a, builder_.CreateAShr(a, type.bits - 1u));
  llvm::Value* zeros =
      resize(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a, builder_.getInt1(false)), 32);
  llvm::Value* found =
      in.has(Modifier::shiftamt) ? zeros : builder_.CreateSub(builder_.getInt32(type.bits - 1u), zeros);
  write(
      in, 0,
      builder_.CreateSelect(builder_.CreateICmpEQ(a, integer(type.bits, 0)), builder_.getInt32(~0u), found));
}

void FunctionTranslator::find_nth_set(const Instruction& in) {
  const Type word = bits_type(32);
  write(in, 0,
        call_runtime("clcuda_fns", builder_.getInt32Ty(),
                     {read(in, 1, word), read(in, 2, word), read(in, 3, word)}, true));
}

void FunctionTranslator::reverse_bits(const Instruction& in) {
  write(in, 0, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, read(in, 1, in.type())));
}

// prmt: each byte of the result is one of the eight of {b, a}, or its sign.
void FunctionTranslator::permute_bytes(const Instruction& in) {
  const Type word = bits_type(32);
  llvm::Value* both =
      builder_.CreateOr(builder_.CreateShl(resize(read(in, 2, word), 64), 32), resize(read(in, 1, word), 64));
  llvm::Value* selector = read(in, 3, word);
  llvm::Value* low = builder_.CreateAnd(selector, builder_.getInt32(3));
  llvm::Value* result = builder_.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    llvm::Value* index = nullptr;
    llvm::Value* sign = nullptr;
    const auto constant = [&](unsigned value) { return builder_.getInt32(value); };
    const auto modulo8 = [&](llvm::Value* value) { return builder_.CreateAnd(value, constant(7)); };
    if (in.has(Modifier::f4e))
      index = modulo8(builder_.CreateAdd(low, constant(i)));
    else if (in.has(Modifier::b4e))
      index = modulo8(builder_.CreateSub(low, constant(i)));
    else if (in.has(Modifier::rc8))
      index = low;
    else if (in.has(Modifier::ecl))
      index = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, low, constant(i));
    else if (in.has(Modifier::ecr))
      index = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, low, constant(i));
    else if (in.has(Modifier::rc16))
      index = builder_.CreateOr(builder_.CreateShl(builder_.CreateAnd(low, constant(1)), 1), constant(i & 1));
    else {
      llvm::Value* nibble = builder_.CreateLShr(selector, 4 * i);
      index = modulo8(nibble);
      sign = builder_.CreateICmpNE(builder_.CreateAnd(nibble, constant(8)), constant(0));
    }
    llvm::Value* shifted = builder_.CreateLShr(both, resize(builder_.CreateShl(index, 3), 64));
    llvm::Value* byte = builder_.CreateTrunc(shifted, builder_.getInt8Ty());
    if (sign) byte = builder_.CreateSelect(sign, builder_.CreateAShr(byte, 7), byte);
    result = builder_.CreateOr(result, builder_.CreateShl(resize(byte, 32), 8 * i));
  }
  write(in, 0, result);
}

}  // namespace clcuda::ptx
