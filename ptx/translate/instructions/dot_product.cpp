// SPDX-License-Identifier: Apache-2.0
// dp4a, dp2a: sums of products of packed small integers.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {

void FunctionTranslator::dot_product(const Instruction& in) {
  const bool four = in.form->opcode == "dp4a";
  const Type a_type = in.type(0), b_type = in.type(1);
  llvm::Value *a = read(in, 1, bits_type(32)), *b = read(in, 2, bits_type(32)),
              *sum = read(in, 3, bits_type(32));
  const auto part = [&](llvm::Value* packed, unsigned index, unsigned width, bool is_signed) {
    llvm::Value* element =
        builder_.CreateTrunc(builder_.CreateLShr(packed, index * width), builder_.getIntNTy(width));
    return resize(element, 32, is_signed);
  };
  const unsigned first_b = in.has(Modifier::hi) ? 2 : 0;  // dp2a: which half of b
  for (unsigned i = 0; i < (four ? 4u : 2u); ++i)
    sum = builder_.CreateAdd(sum, builder_.CreateMul(part(a, i, four ? 8 : 16, a_type.is_signed()),
                                                     part(b, first_b + i, 8, b_type.is_signed())));
  write(in, 0, sum);
}

}  // namespace clcuda::ptx
