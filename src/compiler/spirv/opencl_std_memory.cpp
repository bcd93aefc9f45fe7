// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/opencl_std.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

std::string rounding_suffix(std::uint32_t mode) {
  constexpr std::array kSuffixes = {"_rte", "_rtz", "_rtp", "_rtn"};
  require(mode < kSuffixes.size(), "there is no such rounding mode");
  return kSuffixes[mode];
}

std::string count_suffix(llvm::Type* type) {
  const unsigned count = elements_of(type);
  return count == 1 ? std::string() : std::to_string(count);
}

BuiltinArgument offset(llvm::IRBuilderBase& builder, llvm::Value* value) {
  return {kSizeType, to_integer(builder, value, 64)};
}

// The name with the number of elements. Any half is aligned: for one the library has no functions of their own.
std::string function_name(std::string_view function, llvm::Type* data) {
  if (function == "vloada_half" && !data->isVectorTy()) function = "vload_half";
  if (function == "vstorea_half" && !data->isVectorTy()) function = "vstore_half";
  return std::string(function) + count_suffix(data);
}

// vloadn, vload_half, vload_halfn, vloada_halfn: the operands are the offset, the address and, except for vload_half, n.
llvm::CallInst* load(llvm::IRBuilderBase& builder, std::string_view function, bool is_half,
                     llvm::Type* result, std::span<llvm::Value* const> operands) {
  require(operands.size() == 2, "the number of operands is wrong");
  BuiltinType element = number_type(result->getScalarType(), Sign::with);
  if (is_half) {
    require(result->getScalarType()->isFloatTy(), "the result is not of 32-bit numbers");
    element = kHalfType;
  }
  return call_builtin(
      builder, function_name(function, result), result,
      {offset(builder, operands[0]), {pointer_to_constant(element, pointer_space(operands[1])), operands[1]}},
      Effects::reads);
}

// vstoren, vstore_half, vstore_halfn, vstorea_halfn: the operands are the data, the offset and the address.
llvm::CallInst* store(llvm::IRBuilderBase& builder, std::string_view function, bool is_half,
                      const std::string& suffix, llvm::Type* result, std::span<llvm::Value* const> operands) {
  require(operands.size() == 3, "the number of operands is wrong");
  require(result->isVoidTy(), "there is a result");
  llvm::Type* type = operands[0]->getType();
  const BuiltinArgument data = number(operands[0], Sign::with);
  BuiltinType element = number_type(type->getScalarType(), Sign::with);
  if (is_half) {
    require(type->getScalarType()->isFloatTy() || type->getScalarType()->isDoubleTy(),
            "the data are not floating-point numbers of 32 or 64 bits");
    element = kHalfType;
  }
  return call_builtin(
      builder, function_name(function, type) + suffix, result,
      {data, offset(builder, operands[1]), {pointer_to(element, pointer_space(operands[2])), operands[2]}});
}

}  // namespace

bool ends_with_literal(OpenClStd instruction) {
  switch (instruction) {
    case OpenClStd::vloadn:
    case OpenClStd::vload_halfn:
    case OpenClStd::vloada_halfn:
    case OpenClStd::vstore_half_r:
    case OpenClStd::vstore_halfn_r:
    case OpenClStd::vstorea_halfn_r:
      return true;
    default:
      return false;
  }
}

llvm::CallInst* call_vector_access(llvm::IRBuilderBase& builder, OpenClStd instruction, llvm::Type* result,
                                   std::span<llvm::Value* const> operands, std::uint32_t literal) {
  const auto check_count = [&](unsigned count) {
    require(elements_of(result) == count, "the result has not as many elements as are loaded");
  };
  switch (instruction) {
    case OpenClStd::vloadn:
      check_count(literal);
      return load(builder, "vload", false, result, operands);
    case OpenClStd::vload_half:
      check_count(1);
      return load(builder, "vload_half", true, result, operands);
    case OpenClStd::vload_halfn:
      check_count(literal);
      return load(builder, "vload_half", true, result, operands);
    case OpenClStd::vloada_halfn:
      check_count(literal);
      return load(builder, "vloada_half", true, result, operands);
    case OpenClStd::vstoren:
      return store(builder, "vstore", false, {}, result, operands);
    case OpenClStd::vstore_half:
    case OpenClStd::vstore_halfn:
      return store(builder, "vstore_half", true, {}, result, operands);
    case OpenClStd::vstorea_halfn:
      return store(builder, "vstorea_half", true, {}, result, operands);
    case OpenClStd::vstore_half_r:
    case OpenClStd::vstore_halfn_r:
      return store(builder, "vstore_half", true, rounding_suffix(literal), result, operands);
    case OpenClStd::vstorea_halfn_r:
      return store(builder, "vstorea_half", true, rounding_suffix(literal), result, operands);
    default:
      return nullptr;
  }
}

}  // namespace clcuda::compiler::spirv
