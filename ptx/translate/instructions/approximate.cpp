// SPDX-License-Identifier: Apache-2.0
// sin cos lg2 ex2 tanh with .approx: the host's functions, whose errors are well within those that PTX documents.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {

void FunctionTranslator::float_approx(const Instruction& in) {
  const Type type = in.type();
  const std::string_view opcode = in.form->opcode;
  llvm::Value* a = flush_if(in, read(in, 1, type));
  llvm::Type* narrow = a->getType();
  llvm::Type* wide = builder_.getFloatTy();
  if (type.lanes > 1) wide = llvm::FixedVectorType::get(wide, type.lanes);
  if (narrow != wide) a = builder_.CreateFPExt(a, wide);
  const auto id = opcode == "sin"   ? llvm::Intrinsic::sin
                  : opcode == "cos" ? llvm::Intrinsic::cos
                  : opcode == "lg2" ? llvm::Intrinsic::log2
                  : opcode == "ex2" ? llvm::Intrinsic::exp2
                                    : llvm::Intrinsic::tanh;
  llvm::Value* result = builder_.CreateUnaryIntrinsic(id, a);
  write_float(in, narrow == wide ? result : builder_.CreateFPTrunc(result, narrow));
}

}  // namespace clcuda::ptx
