// SPDX-License-Identifier: Apache-2.0
// bfe bfi bmsk szext: fields given by position and length, both of which may exceed the width.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {

// The lowest `count` bits; all of them where count reaches the width.
llvm::Value* FunctionTranslator::low_mask(llvm::Value* count, unsigned width) {
  // The shift gives 0 beyond the width, so that the mask becomes all ones.
  llvm::Value* bit = shift_left(integer(width, 1), count);
  return builder_.CreateSub(bit, integer(width, 1));
}

void FunctionTranslator::bit_field_extract(const Instruction& in) {
  const Type type = in.type();
  const unsigned width = type.bits;
  llvm::Value* a = read(in, 1, type);
  llvm::Value* position = builder_.CreateAnd(read(in, 2, unsigned_type(32)), builder_.getInt32(255));
  llvm::Value* length = builder_.CreateAnd(read(in, 3, unsigned_type(32)), builder_.getInt32(255));
  const auto least = [&](llvm::Value* x, llvm::Value* y) {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, y);
  };
  position = least(position, builder_.getInt32(width));
  length = least(length, builder_.CreateSub(builder_.getInt32(width), position));
  llvm::Value* mask = low_mask(length, width);
  llvm::Value* field = builder_.CreateAnd(shift_right(a, position), mask);
  if (type.is_signed()) {
    // The sign is the last bit of the field that is inside the value. A field whose length operand is 0 has no sign.
    llvm::Value* written = builder_.CreateAnd(read(in, 3, unsigned_type(32)), builder_.getInt32(255));
    llvm::Value* start = builder_.CreateAnd(read(in, 2, unsigned_type(32)), builder_.getInt32(255));
    llvm::Value* last = least(builder_.CreateSub(builder_.CreateAdd(start, written), builder_.getInt32(1)),
                              builder_.getInt32(width - 1));
    llvm::Value* sign = builder_.CreateAnd(builder_.CreateLShr(a, resize(last, width)), integer(width, 1));
    llvm::Value* fill = builder_.CreateAnd(builder_.CreateNot(mask), builder_.CreateNeg(sign));
    llvm::Value* empty = builder_.CreateICmpEQ(written, builder_.getInt32(0));
    field = builder_.CreateSelect(empty, integer(width, 0), builder_.CreateOr(field, fill));
  }
  write(in, 0, field, type.is_signed());
}

void FunctionTranslator::bit_field_insert(const Instruction& in) {
  const Type type = in.type();
  llvm::Value *field = read(in, 1, type), *into = read(in, 2, type);
  llvm::Value* position = builder_.CreateAnd(read(in, 3, unsigned_type(32)), builder_.getInt32(255));
  llvm::Value* length = builder_.CreateAnd(read(in, 4, unsigned_type(32)), builder_.getInt32(255));
  llvm::Value* mask = shift_left(low_mask(length, type.bits), position);
  llvm::Value* moved = builder_.CreateAnd(shift_left(field, position), mask);
  write(in, 0, builder_.CreateOr(moved, builder_.CreateAnd(into, builder_.CreateNot(mask))));
}

// bmsk: `length` ones from bit `position`; clamp and wrap specify how numbers above 31 are treated.
void FunctionTranslator::bit_mask(const Instruction& in) {
  llvm::Value *position = read(in, 1, unsigned_type(32)), *length = read(in, 2, unsigned_type(32));
  if (in.has(Modifier::wrap)) {
    position = builder_.CreateAnd(position, builder_.getInt32(31));
    length = builder_.CreateAnd(length, builder_.getInt32(31));
  }
  write(in, 0, shift_left(low_mask(length, 32), position));
}

void FunctionTranslator::sign_extend(const Instruction& in) {
  const Type type = in.type();
  llvm::Value *a = read(in, 1, type), *length = read(in, 2, unsigned_type(32));
  if (in.has(Modifier::wrap)) length = builder_.CreateAnd(length, builder_.getInt32(31));
  llvm::Value* mask = low_mask(length, 32);
  llvm::Value* field = builder_.CreateAnd(a, mask);
  if (type.is_signed()) {
    llvm::Value* top =
        builder_.CreateAnd(builder_.CreateSub(length, builder_.getInt32(1)), builder_.getInt32(31));
    llvm::Value* sign = builder_.CreateAnd(builder_.CreateLShr(a, top), builder_.getInt32(1));
    llvm::Value* some = builder_.CreateICmpNE(length, builder_.getInt32(0));
    llvm::Value* fill = builder_.CreateAnd(builder_.CreateNot(mask), builder_.CreateNeg(sign));
    field = builder_.CreateSelect(some, builder_.CreateOr(field, fill), builder_.getInt32(0));
  }
  write(in, 0, field);
}

}  // namespace clcuda::ptx
