// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/built_in.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/operands.h"

namespace clcuda::compiler::spirv {
namespace {

// What an instruction's name says about its conversion: the kinds of type, and the signedness of integers.
struct Conversion {
  TypeKind from, to;
  Sign from_sign = Sign::with, to_sign = Sign::with;
  bool saturates = false;
};

std::optional<Conversion> conversion_of(Op op) {
  using enum TypeKind;
  switch (op) {
    case Op::ConvertFToU:
      return Conversion{floating, integer, Sign::with, Sign::without};
    case Op::ConvertFToS:
      return Conversion{floating, integer};
    case Op::ConvertSToF:
      return Conversion{integer, floating};
    case Op::ConvertUToF:
      return Conversion{integer, floating, Sign::without};
    case Op::UConvert:
      return Conversion{integer, integer, Sign::without, Sign::without};
    case Op::SConvert:
      return Conversion{integer, integer};
    case Op::FConvert:
      return Conversion{floating, floating};
    case Op::SatConvertSToU:
      return Conversion{integer, integer, Sign::with, Sign::without, true};
    case Op::SatConvertUToS:
      return Conversion{integer, integer, Sign::without, Sign::with, true};
    default:
      return std::nullopt;
  }
}

const char* rounding_suffix(std::uint32_t mode) {
  switch (static_cast<FPRoundingMode>(mode)) {
    case FPRoundingMode::RTE:
      return "_rte";
    case FPRoundingMode::RTZ:
      return "_rtz";
    case FPRoundingMode::RTP:
      return "_rtp";
    case FPRoundingMode::RTN:
      return "_rtn";
  }
  refuse("its rounding mode is unknown");
}

std::string number_name(const Type& type, Sign sign) {
  const Type& scalar = type.scalar();
  const std::string lanes = type.is(TypeKind::vector) ? std::to_string(type.count) : "";
  if (scalar.is(TypeKind::floating))
    return (scalar.width == 16 ? "half" : scalar.width == 32 ? "float" : "double") + lanes;
  const char* name = scalar.width == 8    ? "char"
                     : scalar.width == 16 ? "short"
                     : scalar.width == 32 ? "int"
                                          : "long";
  return (sign == Sign::without ? "u" : "") + std::string(name) + lanes;
}

// The conversion as plain LLVM instructions; null if it needs a function of the OpenCL C library.
llvm::Value* plain(llvm::IRBuilderBase& builder, const Conversion& conversion, llvm::Value* value,
                   llvm::Type* type) {
  if (conversion.from == TypeKind::floating && conversion.to == TypeKind::floating)
    return builder.CreateFPCast(value, type);
  if (conversion.from == TypeKind::floating)
    return conversion.to_sign == Sign::with ? builder.CreateFPToSI(value, type)
                                            : builder.CreateFPToUI(value, type);
  if (conversion.to == TypeKind::floating)
    return conversion.from_sign == Sign::with ? builder.CreateSIToFP(value, type)
                                              : builder.CreateUIToFP(value, type);
  return builder.CreateIntCast(value, type, conversion.from_sign == Sign::with);
}

void convert(FunctionReader& reader, const Instruction& in, const Conversion& conversion) {
  const Type& type = reader.type(in.type());
  const Type& from = reader.type_of(in[0]);
  require(type.scalar().is(conversion.to) && from.scalar().is(conversion.from),
          "it does not convert between these types");
  require(type.lanes() == from.lanes(), "its operand has another number of elements than its result");
  const Decorations& decorations = reader.module().decorations();
  const auto rounding = decorations.operand(in.result(), Decoration::FPRoundingMode);
  const bool saturates =
      conversion.saturates || decorations.has(in.result(), Decoration::SaturatedConversion);
  llvm::Value* value = reader.value(in[0]);
  if (!rounding && !saturates)
    return reader.define(in, plain(reader.builder(), conversion, value, type.value));
  std::string name = "convert_" + number_name(type, conversion.to_sign);
  if (saturates && conversion.to == TypeKind::integer) name += "_sat";
  if (rounding) name += rounding_suffix(*rounding);
  reader.define(in, call_builtin(reader.builder(), name, type.value, {number(value, conversion.from_sign)},
                                 Effects::none));
}

// OpBitcast: between numbers and vectors of the same size, between pointers, or between a pointer and integers of its size (vectors of them
// since SPIR-V 1.5).
void reinterpret(FunctionReader& reader, const Instruction& in) {
  if (derive_built_in(reader, in)) return;
  llvm::Value* value = reader.value(in[0]);
  const Type& type = reader.type(in.type());
  const auto is_numeric = [](const Type& type) {
    return type.scalar().is(TypeKind::integer) || type.scalar().is(TypeKind::floating);
  };
  const Type& from = reader.type_of(in[0]);
  auto& builder = reader.builder();
  if (from.is(TypeKind::pointer) && type.is(TypeKind::pointer)) {
    reader.take_alignment(in, {in[0]});
    return reader.define(in, value);
  }
  if (from.value == type.value) return reader.define(in, value);
  const auto holds_address = [](const Type& type) {
    return type.scalar().is(TypeKind::integer) && type.value->getPrimitiveSizeInBits() == 64;
  };
  if (from.is(TypeKind::pointer) && holds_address(type))
    return reader.define(
        in, builder.CreateBitCast(builder.CreatePtrToInt(value, builder.getInt64Ty()), type.value));
  if (holds_address(from) && type.is(TypeKind::pointer))
    return reader.define(
        in, builder.CreateIntToPtr(builder.CreateBitCast(value, builder.getInt64Ty()), type.value));
  require(is_numeric(from) && is_numeric(type), "it does not take these types");
  require(from.value->getPrimitiveSizeInBits() == type.value->getPrimitiveSizeInBits(),
          "its types have different sizes");
  reader.define(in, builder.CreateBitCast(value, type.value));
}

}  // namespace

bool read_conversion(FunctionReader& reader, const Instruction& in) {
  if (const auto conversion = conversion_of(in.op())) {
    convert(reader, in, *conversion);
    return true;
  }
  if (in.op() != Op::Bitcast) return false;
  reinterpret(reader, in);
  return true;
}

}  // namespace clcuda::compiler::spirv
