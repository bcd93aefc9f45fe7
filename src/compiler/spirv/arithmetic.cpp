// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/MDBuilder.h>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/operands.h"

namespace clcuda::compiler::spirv {
namespace {

struct Wrap {
  bool no_unsigned, no_signed;
};
Wrap wrap_of(FunctionReader& reader, const Instruction& in) {
  const Decorations& decorations = reader.module().decorations();
  return {decorations.has(in.result(), Decoration::NoUnsignedWrap),
          decorations.has(in.result(), Decoration::NoSignedWrap)};
}

bool read_integer(FunctionReader& reader, const Instruction& in) {
  auto& builder = reader.builder();
  const auto [left, right] = integers(reader, in);
  const auto [nuw, nsw] = wrap_of(reader, in);
  switch (in.op()) {
    case Op::IAdd:
      reader.define(in, builder.CreateAdd(left, right, "", nuw, nsw));
      return true;
    case Op::ISub:
      reader.define(in, builder.CreateSub(left, right, "", nuw, nsw));
      return true;
    case Op::IMul:
      reader.define(in, builder.CreateMul(left, right, "", nuw, nsw));
      return true;
    case Op::UDiv:
      reader.define(in, builder.CreateUDiv(left, right));
      return true;
    case Op::SDiv:
      reader.define(in, builder.CreateSDiv(left, right));
      return true;
    case Op::UMod:
      reader.define(in, builder.CreateURem(left, right));
      return true;
    case Op::SRem:
      reader.define(in, builder.CreateSRem(left, right));
      return true;
    case Op::SMod: {
      // The result has the sign of the divisor.
      llvm::Value* rest = builder.CreateSRem(left, right);
      llvm::Value* zero = llvm::Constant::getNullValue(left->getType());
      llvm::Value* differs = builder.CreateICmpSLT(builder.CreateXor(rest, right), zero);
      llvm::Value* corrects = builder.CreateAnd(differs, builder.CreateICmpNE(rest, zero));
      reader.define(in, builder.CreateSelect(corrects, builder.CreateAdd(rest, right), rest));
      return true;
    }
    default:
      return false;
  }
}

// Allows the error that OpenCL C allows in single precision, unless the build asks for correct rounding.
void relax_division(FunctionReader& reader, llvm::Value* quotient) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(quotient);
  if (!instruction || !quotient->getType()->getScalarType()->isFloatTy()) return;
  if (reader.module().unit().options.correctly_rounded_divide_sqrt) return;
  instruction->setMetadata(llvm::LLVMContext::MD_fpmath,
                           llvm::MDBuilder(reader.context()).createFPMath(2.5f));
}

llvm::Value* remainder(FunctionReader& reader, llvm::Value* left, llvm::Value* right) {
  // OpSpecConstantOp, which cannot call functions.
  if (llvm::isa<llvm::Constant>(left) && llvm::isa<llvm::Constant>(right))
    return reader.builder().CreateFRem(left, right);
  return call_builtin(reader.builder(), "fmod", left->getType(),
                      {number(left, Sign::with), number(right, Sign::with)}, Effects::none);
}

// The result has the sign of the divisor.
llvm::Value* modulo(FunctionReader& reader, llvm::Value* left, llvm::Value* right) {
  auto& builder = reader.builder();
  llvm::Type* type = left->getType();
  llvm::Type* bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  llvm::Value* rest = remainder(reader, left, right);
  llvm::Value* signs =
      builder.CreateXor(builder.CreateBitCast(rest, bits), builder.CreateBitCast(right, bits));
  llvm::Value* differs = builder.CreateICmpSLT(signs, llvm::Constant::getNullValue(bits));
  llvm::Value* is_some = builder.CreateFCmpUNE(rest, llvm::Constant::getNullValue(type));
  return builder.CreateSelect(builder.CreateAnd(differs, is_some), builder.CreateFAdd(rest, right), rest);
}

void read_dot(FunctionReader& reader, const Instruction& in, const Operands& operands) {
  const Type& type = reader.type_of(in[0]);
  require(type.is(TypeKind::vector), "its operands are no vectors");
  const auto [left, right] = operands;
  if (type.count <= 4) {
    reader.define(in, call_builtin(reader.builder(), "dot", type.element->value,
                                   {number(left, Sign::with), number(right, Sign::with)}, Effects::none));
    return;
  }
  llvm::Value* zero = llvm::ConstantFP::getNegativeZero(type.element->value);
  reader.define(in, reader.builder().CreateFAddReduce(zero, reader.builder().CreateFMul(left, right)));
}

bool read_floating(FunctionReader& reader, const Instruction& in) {
  auto& builder = reader.builder();
  const auto [left, right] = floats(reader, in);
  switch (in.op()) {
    case Op::FAdd:
      reader.define(in, builder.CreateFAdd(left, right));
      return true;
    case Op::FSub:
      reader.define(in, builder.CreateFSub(left, right));
      return true;
    case Op::FMul:
      reader.define(in, builder.CreateFMul(left, right));
      return true;
    case Op::FDiv: {
      llvm::Value* quotient = builder.CreateFDiv(left, right);
      relax_division(reader, quotient);
      reader.define(in, quotient);
      return true;
    }
    case Op::FRem:
      reader.define(in, remainder(reader, left, right));
      return true;
    case Op::FMod:
      reader.define(in, modulo(reader, left, right));
      return true;
    case Op::Dot:
      read_dot(reader, in, {left, right});
      return true;
    default:
      return false;
  }
}

void read_scaled(FunctionReader& reader, const Instruction& in) {
  llvm::Value* vector = floating(reader, in[0]);
  llvm::Value* scalar = floating(reader, in[1]);
  const Type& type = reader.type_of(in[0]);
  require(type.is(TypeKind::vector) && scalar->getType() == type.element->value,
          "it takes a vector and a scalar of its type");
  auto& builder = reader.builder();
  reader.define(
      in, builder.CreateFMul(vector, builder.CreateVectorSplat(static_cast<unsigned>(type.count), scalar)));
}

}  // namespace

bool read_arithmetic(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(reader.builder());
  switch (in.op()) {
    case Op::SNegate: {
      llvm::Value* operand = integer(reader, in[0]);
      const auto [nuw, nsw] = wrap_of(reader, in);
      reader.define(in, reader.builder().CreateSub(llvm::Constant::getNullValue(operand->getType()), operand,
                                                   "", nuw, nsw));
      return true;
    }
    case Op::FNegate:
      reader.builder().setFastMathFlags(reader.math_flags(in));
      reader.define(in, reader.builder().CreateFNeg(floating(reader, in[0])));
      return true;
    case Op::VectorTimesScalar:
      reader.builder().setFastMathFlags(reader.math_flags(in));
      read_scaled(reader, in);
      return true;
    case Op::IAdd:
    case Op::ISub:
    case Op::IMul:
    case Op::UDiv:
    case Op::SDiv:
    case Op::UMod:
    case Op::SRem:
    case Op::SMod:
      return read_integer(reader, in);
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FDiv:
    case Op::FRem:
    case Op::FMod:
    case Op::Dot:
      reader.builder().setFastMathFlags(reader.math_flags(in));
      return read_floating(reader, in);
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
