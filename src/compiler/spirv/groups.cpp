// SPDX-License-Identifier: Apache-2.0
// Operations of all work-items of a work-group or sub-group.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/group_arithmetic.h"
#include "compiler/spirv/group_values.h"
#include "compiler/spirv/memory_model.h"

namespace clcuda::compiler::spirv {
namespace {

struct Arithmetic {
  Op op;
  Combination combination;
  // sub-groups have only the non-uniform form of it, which does not need all work-items
  bool is_extension = false;
};

constexpr Arithmetic kArithmetic[] = {
    {Op::GroupIAdd, {"add", OperandKind::integers}},
    {Op::GroupFAdd, {"add", OperandKind::floating}},
    {Op::GroupFMin, {"min", OperandKind::floating}},
    {Op::GroupUMin, {"min", OperandKind::integers, Sign::without}},
    {Op::GroupSMin, {"min", OperandKind::integers}},
    {Op::GroupFMax, {"max", OperandKind::floating}},
    {Op::GroupUMax, {"max", OperandKind::integers, Sign::without}},
    {Op::GroupSMax, {"max", OperandKind::integers}},
    {Op::GroupIMulKHR, {"mul", OperandKind::integers}, true},
    {Op::GroupFMulKHR, {"mul", OperandKind::floating}, true},
    {Op::GroupBitwiseAndKHR, {"and", OperandKind::integers}, true},
    {Op::GroupBitwiseOrKHR, {"or", OperandKind::integers}, true},
    {Op::GroupBitwiseXorKHR, {"xor", OperandKind::integers}, true},
    {Op::GroupLogicalAndKHR, {"logical_and", OperandKind::booleans}, true},
    {Op::GroupLogicalOrKHR, {"logical_or", OperandKind::booleans}, true},
    {Op::GroupLogicalXorKHR, {"logical_xor", OperandKind::booleans}, true},
};

bool read_arithmetic_of_group(FunctionReader& reader, const Instruction& in) {
  const auto* row = std::ranges::find(kArithmetic, in.op(), &Arithmetic::op);
  if (row == std::end(kArithmetic)) return false;
  const bool is_work_group = group_scope(reader, in[0]) == Scope::Workgroup;
  const char* group = is_work_group       ? "work_group_"
                      : row->is_extension ? "sub_group_non_uniform_"
                                          : "sub_group_";
  const std::string function = group + reduction_name(static_cast<GroupOperation>(in[1]), row->combination);
  reader.define(in, combine(reader.builder(), function, row->combination, reader.value(in[2]), nullptr));
  return true;
}

bool vote(FunctionReader& reader, const Instruction& in, const char* of_work_group,
          const char* of_sub_group) {
  llvm::IRBuilderBase& builder = reader.builder();
  const bool is_work_group = group_scope(reader, in[0]) == Scope::Workgroup;
  llvm::Value* result = call_builtin(builder, is_work_group ? of_work_group : of_sub_group,
                                     builder.getInt32Ty(), {predicate(builder, reader.value(in[1]))});
  reader.define(in, builder.CreateIsNotNull(result));
  return true;
}

// The index of the work-item whose value is broadcast: up to three numbers in a work-group, one in a sub-group.
std::vector<BuiltinArgument> place(FunctionReader& reader, llvm::Value* id, bool is_work_group) {
  llvm::IRBuilderBase& builder = reader.builder();
  const unsigned count = elements_of(id->getType());
  require(id->getType()->isIntOrIntVectorTy() && count <= 3 && (count == 1 || is_work_group),
          "its local id is of a wrong type");
  std::vector<BuiltinArgument> result;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value* part = count == 1 ? id : builder.CreateExtractElement(id, i);
    result.push_back(is_work_group ? BuiltinArgument{kSizeType, to_integer(builder, part, 64)}
                                   : index(builder, part));
  }
  return result;
}

llvm::Value* broadcast(llvm::IRBuilderBase& builder, llvm::Value* number, bool is_work_group,
                       const std::vector<BuiltinArgument>& from) {
  llvm::Type* type = number->getType();
  const bool is_narrow = is_work_group && type->isIntegerTy() && type->getIntegerBitWidth() < 32;
  llvm::Value* given = is_narrow ? builder.CreateZExt(number, builder.getInt32Ty()) : number;
  std::vector<BuiltinArgument> arguments = {spirv::number(given, Sign::with)};
  arguments.insert(arguments.end(), from.begin(), from.end());
  llvm::Value* result = call_builtin(builder, is_work_group ? "work_group_broadcast" : "sub_group_broadcast",
                                     given->getType(), arguments);
  return is_narrow ? builder.CreateTrunc(result, type) : result;
}

bool read_broadcast(FunctionReader& reader, const Instruction& in) {
  const bool is_work_group = group_scope(reader, in[0]) == Scope::Workgroup;
  const auto from = place(reader, reader.value(in[2]), is_work_group);
  reader.define(in, exchange_numbers(reader.builder(), reader.value(in[1]), [&](llvm::Value* number) {
                  return broadcast(reader.builder(), number, is_work_group, from);
                }));
  return true;
}

}  // namespace

bool read_group(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::GroupAll:
      return vote(reader, in, "work_group_all", "sub_group_all");
    case Op::GroupAny:
      return vote(reader, in, "work_group_any", "sub_group_any");
    case Op::GroupBroadcast:
      return read_broadcast(reader, in);
    default:
      return read_arithmetic_of_group(reader, in);
  }
}

}  // namespace clcuda::compiler::spirv
