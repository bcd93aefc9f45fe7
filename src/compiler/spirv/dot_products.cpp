// SPDX-License-Identifier: Apache-2.0
// Integer dot products: those of four bytes by the library's functions, which are one instruction; others as a sum of products.
#include <optional>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

struct Signs {
  Sign first, second;
  Sign result() const { return first == Sign::with ? Sign::with : second; }
};

// A vector, or four bytes in a word.
llvm::Value* vector(FunctionReader& reader, std::uint32_t id, bool is_packed) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value* value = reader.value(id);
  if (is_packed) {
    require(value->getType()->isIntegerTy(32), "a packed vector is not an integer of 32 bits");
    return builder.CreateBitCast(value, with_elements(builder.getInt8Ty(), 4));
  }
  require(value->getType()->isVectorTy() && value->getType()->isIntOrIntVectorTy(),
          "an operand is not a vector of integers");
  return value;
}

llvm::Value* sum_of_products(llvm::IRBuilderBase& builder, llvm::Value* first, llvm::Value* second,
                             const Signs& signs, llvm::Type* result) {
  llvm::Value* sum = llvm::ConstantInt::get(result, 0);
  for (unsigned i = 0; i < elements_of(first->getType()); ++i) {
    llvm::Value* a =
        builder.CreateIntCast(builder.CreateExtractElement(first, i), result, signs.first == Sign::with);
    llvm::Value* b =
        builder.CreateIntCast(builder.CreateExtractElement(second, i), result, signs.second == Sign::with);
    sum = builder.CreateAdd(sum, builder.CreateMul(a, b));
  }
  return sum;
}

llvm::Value* product(llvm::IRBuilderBase& builder, llvm::Value* first, llvm::Value* second,
                     const Signs& signs, llvm::Type* result) {
  if (!result->isIntegerTy(32) || first->getType() != with_elements(builder.getInt8Ty(), 4))
    return sum_of_products(builder, first, second, signs, result);
  return call_builtin(builder, "dot", result, {number(first, signs.first), number(second, signs.second)},
                      Effects::none);
}

bool read_product(FunctionReader& reader, const Instruction& in, const Signs& signs, bool accumulates) {
  llvm::IRBuilderBase& builder = reader.builder();
  const std::size_t format = accumulates ? 3 : 2;
  const bool is_packed = in.size() > format;
  require(!is_packed || in[format] == 0, "the format of its packed vectors is not known");
  llvm::Type* result = reader.type(in.type()).value;
  require(reader.type(in.type()).is(TypeKind::integer), "its result is not an integer");
  llvm::Value* first = vector(reader, in[0], is_packed);
  llvm::Value* second = vector(reader, in[1], is_packed);
  require(first->getType() == second->getType(), "its vectors are of different types");
  require(result->getIntegerBitWidth() >= first->getType()->getScalarSizeInBits(),
          "its result is narrower than its operands");
  llvm::Value* value = product(builder, first, second, signs, result);
  if (accumulates) {
    llvm::Value* sum = reader.value(in[2]);
    require(sum->getType() == result, "its accumulator is of another type");
    value = builder.CreateBinaryIntrinsic(
        signs.result() == Sign::with ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat, value, sum);
  }
  reader.define(in, value);
  return true;
}

}  // namespace

bool read_dot_product(FunctionReader& reader, const Instruction& in) {
  constexpr Signs kBoth = {Sign::with, Sign::with}, kNone = {Sign::without, Sign::without},
                  kMixed = {Sign::with, Sign::without};
  switch (in.op()) {
    case Op::SDotKHR:
      return read_product(reader, in, kBoth, false);
    case Op::UDotKHR:
      return read_product(reader, in, kNone, false);
    case Op::SUDotKHR:
      return read_product(reader, in, kMixed, false);
    case Op::SDotAccSatKHR:
      return read_product(reader, in, kBoth, true);
    case Op::UDotAccSatKHR:
      return read_product(reader, in, kNone, true);
    case Op::SUDotAccSatKHR:
      return read_product(reader, in, kMixed, true);
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
