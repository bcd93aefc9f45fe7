// SPDX-License-Identifier: Apache-2.0
// Operations of the work-items of a sub-group that are active at the same place.
#include <algorithm>
#include <iterator>
#include <string>
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
};

constexpr Arithmetic kArithmetic[] = {
    {Op::GroupNonUniformIAdd, {"add", OperandKind::integers}},
    {Op::GroupNonUniformFAdd, {"add", OperandKind::floating}},
    {Op::GroupNonUniformIMul, {"mul", OperandKind::integers}},
    {Op::GroupNonUniformFMul, {"mul", OperandKind::floating}},
    {Op::GroupNonUniformSMin, {"min", OperandKind::integers}},
    {Op::GroupNonUniformUMin, {"min", OperandKind::integers, Sign::without}},
    {Op::GroupNonUniformFMin, {"min", OperandKind::floating}},
    {Op::GroupNonUniformSMax, {"max", OperandKind::integers}},
    {Op::GroupNonUniformUMax, {"max", OperandKind::integers, Sign::without}},
    {Op::GroupNonUniformFMax, {"max", OperandKind::floating}},
    {Op::GroupNonUniformBitwiseAnd, {"and", OperandKind::integers}},
    {Op::GroupNonUniformBitwiseOr, {"or", OperandKind::integers}},
    {Op::GroupNonUniformBitwiseXor, {"xor", OperandKind::integers}},
    {Op::GroupNonUniformLogicalAnd, {"logical_and", OperandKind::booleans}},
    {Op::GroupNonUniformLogicalOr, {"logical_or", OperandKind::booleans}},
    {Op::GroupNonUniformLogicalXor, {"logical_xor", OperandKind::booleans}},
};

bool read_arithmetic_of_group(FunctionReader& reader, const Instruction& in) {
  const auto* row = std::ranges::find(kArithmetic, in.op(), &Arithmetic::op);
  if (row == std::end(kArithmetic)) return false;
  require_sub_group(reader, in[0]);
  llvm::IRBuilderBase& builder = reader.builder();
  const auto operation = static_cast<GroupOperation>(in[1]);
  const bool is_clustered = operation == GroupOperation::ClusteredReduce;
  require(is_clustered == (in.size() > 3),
          "it must have a cluster's size if it is a clustered reduction only");
  const std::string function = is_clustered
                                   ? std::string("sub_group_clustered_reduce_") + row->combination.function
                                   : "sub_group_non_uniform_" + reduction_name(operation, row->combination);
  llvm::Value* cluster = is_clustered ? index(builder, reader.value(in[3])).value : nullptr;
  reader.define(in, combine(builder, function, row->combination, reader.value(in[2]), cluster));
  return true;
}

// A function with at most one operand whose result is a boolean.
bool ask(FunctionReader& reader, const Instruction& in, const char* function,
         const std::vector<BuiltinArgument>& arguments) {
  llvm::IRBuilderBase& builder = reader.builder();
  reader.define(in,
                builder.CreateIsNotNull(call_builtin(builder, function, builder.getInt32Ty(), arguments)));
  return true;
}

llvm::Value* all_equal(llvm::IRBuilderBase& builder, llvm::Value* value) {
  if (value->getType()->isVectorTy()) {
    llvm::Value* result = builder.getTrue();
    for (unsigned i = 0; i < elements_of(value->getType()); ++i)
      result = builder.CreateAnd(result, all_equal(builder, builder.CreateExtractElement(value, i)));
    return result;
  }
  if (value->getType()->isIntegerTy(1)) value = builder.CreateZExt(value, builder.getInt32Ty());
  return builder.CreateIsNotNull(call_builtin(builder, "sub_group_non_uniform_all_equal",
                                              builder.getInt32Ty(), {number(value, Sign::with)}));
}

BuiltinArgument ballot(llvm::Value* value) {
  BuiltinType type = kUnsignedInt;
  type.elements = 4;
  return {type, value};
}

// A count computed from a ballot, in the width of the module's result type.
bool count(FunctionReader& reader, const Instruction& in, const char* function, std::uint32_t value) {
  llvm::IRBuilderBase& builder = reader.builder();
  const Type& type = reader.type(in.type());
  require(type.is(TypeKind::integer), "its result is not an integer");
  llvm::Value* result = call_builtin(builder, function, builder.getInt32Ty(), {ballot(reader.value(value))});
  reader.define(in, builder.CreateZExtOrTrunc(result, type.value));
  return true;
}

bool count_bits(FunctionReader& reader, const Instruction& in) {
  switch (static_cast<GroupOperation>(in[1])) {
    case GroupOperation::Reduce:
      return count(reader, in, "sub_group_ballot_bit_count", in[2]);
    case GroupOperation::InclusiveScan:
      return count(reader, in, "sub_group_ballot_inclusive_scan", in[2]);
    case GroupOperation::ExclusiveScan:
      return count(reader, in, "sub_group_ballot_exclusive_scan", in[2]);
    default:
      refuse("its group operation is neither a reduction nor a scan");
  }
}

bool exchange(FunctionReader& reader, const Instruction& in, const char* function,
              const std::vector<BuiltinArgument>& others) {
  llvm::IRBuilderBase& builder = reader.builder();
  reader.define(in, exchange_numbers(builder, reader.value(in[1]), [&](llvm::Value* value) {
                  std::vector<BuiltinArgument> arguments = {number(value, Sign::with)};
                  arguments.insert(arguments.end(), others.begin(), others.end());
                  return call_builtin(builder, function, value->getType(), arguments);
                }));
  return true;
}

bool rotate(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  std::vector<BuiltinArgument> arguments = {{kSignedInt, to_integer(builder, reader.value(in[2]), 32)}};
  if (in.size() == 3) return exchange(reader, in, "sub_group_rotate", arguments);
  arguments.push_back(index(builder, reader.value(in[3])));
  return exchange(reader, in, "sub_group_clustered_rotate", arguments);
}

bool read_ballot(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  switch (in.op()) {
    case Op::GroupNonUniformBallot:
      reader.define(in, call_builtin(builder, "sub_group_ballot", with_elements(builder.getInt32Ty(), 4),
                                     {predicate(builder, reader.value(in[1]))}));
      return true;
    case Op::GroupNonUniformInverseBallot:
      return ask(reader, in, "sub_group_inverse_ballot", {ballot(reader.value(in[1]))});
    case Op::GroupNonUniformBallotBitExtract:
      return ask(reader, in, "sub_group_ballot_bit_extract",
                 {ballot(reader.value(in[1])), index(builder, reader.value(in[2]))});
    case Op::GroupNonUniformBallotBitCount:
      return count_bits(reader, in);
    case Op::GroupNonUniformBallotFindLSB:
      return count(reader, in, "sub_group_ballot_find_lsb", in[1]);
    case Op::GroupNonUniformBallotFindMSB:
      return count(reader, in, "sub_group_ballot_find_msb", in[1]);
    default:
      return false;
  }
}

bool read_exchange(FunctionReader& reader, const Instruction& in) {
  const auto with_index = [&](const char* function) {
    return exchange(reader, in, function, {index(reader.builder(), reader.value(in[2]))});
  };
  switch (in.op()) {
    case Op::GroupNonUniformBroadcast:
      return with_index("sub_group_non_uniform_broadcast");
    case Op::GroupNonUniformBroadcastFirst:
      return exchange(reader, in, "sub_group_broadcast_first", {});
    case Op::GroupNonUniformShuffle:
      return with_index("sub_group_shuffle");
    case Op::GroupNonUniformShuffleXor:
      return with_index("sub_group_shuffle_xor");
    case Op::GroupNonUniformShuffleUp:
      return with_index("sub_group_shuffle_up");
    case Op::GroupNonUniformShuffleDown:
      return with_index("sub_group_shuffle_down");
    case Op::GroupNonUniformRotateKHR:
      return rotate(reader, in);
    default:
      return false;
  }
}

bool read_vote(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  switch (in.op()) {
    case Op::GroupNonUniformElect:
      return ask(reader, in, "sub_group_elect", {});
    case Op::GroupNonUniformAll:
      return ask(reader, in, "sub_group_non_uniform_all", {predicate(builder, reader.value(in[1]))});
    case Op::GroupNonUniformAny:
      return ask(reader, in, "sub_group_non_uniform_any", {predicate(builder, reader.value(in[1]))});
    case Op::GroupNonUniformAllEqual:
      reader.define(in, all_equal(builder, reader.value(in[1])));
      return true;
    default:
      return false;
  }
}

bool is_of_this_family(Op op) {
  return (op >= Op::GroupNonUniformElect && op <= Op::GroupNonUniformLogicalXor) ||
         op == Op::GroupNonUniformRotateKHR;
}

}  // namespace

bool read_non_uniform_group(FunctionReader& reader, const Instruction& in) {
  if (!is_of_this_family(in.op())) return false;
  require_sub_group(reader, in[0]);
  return read_vote(reader, in) || read_exchange(reader, in) || read_ballot(reader, in) ||
         read_arithmetic_of_group(reader, in);
}

}  // namespace clcuda::compiler::spirv
