// SPDX-License-Identifier: Apache-2.0
// SPV_INTEL_subgroups: values from other work-items, and blocks that a sub-group reads and writes as a whole.
#include <string>
#include <vector>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/group_values.h"
#include "compiler/spirv/image_types.h"

namespace clcuda::compiler::spirv {
namespace {

bool shuffle(FunctionReader& reader, const Instruction& in, const char* function) {
  llvm::IRBuilderBase& builder = reader.builder();
  const BuiltinArgument other = index(builder, reader.value(in[1]));
  reader.define(in, exchange_numbers(builder, reader.value(in[0]), [&](llvm::Value* value) {
                  return call_builtin(builder, function, value->getType(),
                                      {number(value, Sign::with), other});
                }));
  return true;
}

// A shuffle from the concatenation of two values, each work-item at an offset from its own position.
bool shift(FunctionReader& reader, const Instruction& in, const char* function) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value *first = reader.value(in[0]), *second = reader.value(in[1]);
  require(first->getType() == second->getType(), "its values are of different types");
  const BuiltinArgument offset = index(builder, reader.value(in[2]));
  reader.define(in, exchange_numbers(builder, first, second, [&](llvm::Value* a, llvm::Value* b) {
                  return call_builtin(builder, function, a->getType(),
                                      {number(a, Sign::with), number(b, Sign::with), offset});
                }));
  return true;
}

// The integers as which a block of numbers is read and written, for which there are functions of each size.
llvm::Type* block_type(llvm::IRBuilderBase& builder, llvm::Type* type) {
  require(type->isFPOrFPVectorTy() || type->isIntOrIntVectorTy(), "a block is not of numbers");
  return type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
}

// The suffix of the functions' names for the elements: "_us4".
std::string block_suffix(llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits(), count = elements_of(type);
  const char* element = bits == 8 ? "_uc" : bits == 16 ? "_us" : bits == 32 ? "_ui" : "_ul";
  return element + (count == 1 ? std::string() : std::to_string(count));
}

BuiltinArgument image_coordinate(FunctionReader& reader, std::uint32_t id) {
  return number(reader.value(id), Sign::with);
}

bool read_block(FunctionReader& reader, const Instruction& in, bool is_image) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Type* result = reader.type(in.type()).value;
  llvm::Type* type = block_type(builder, result);
  const std::string function = "intel_sub_group_block_read" + block_suffix(type);
  const BuiltinType element = number_type(type->getScalarType(), Sign::without);
  llvm::Value* from = reader.value(in[0]);
  std::vector<BuiltinArgument> arguments;
  if (is_image) {
    arguments = {{image_type(reader.type_of(in[0])), from}, image_coordinate(reader, in[1])};
  } else {
    arguments = {{pointer_to_constant(element, pointer_space(from)), from}};
  }
  reader.define(in, builder.CreateBitCast(call_builtin(builder, function, type, arguments), result));
  return true;
}

bool write_block(FunctionReader& reader, const Instruction& in, bool is_image) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value *to = reader.value(in[0]), *data = reader.value(in[is_image ? 2 : 1]);
  data = builder.CreateBitCast(data, block_type(builder, data->getType()));
  const std::string function = "intel_sub_group_block_write" + block_suffix(data->getType());
  const BuiltinType element = number_type(data->getType()->getScalarType(), Sign::without);
  if (is_image) {
    call_builtin(builder, function, builder.getVoidTy(),
                 {{image_type(reader.type_of(in[0])), to},
                  image_coordinate(reader, in[1]),
                  number(data, Sign::without)});
  } else {
    call_builtin(builder, function, builder.getVoidTy(),
                 {{pointer_to(element, pointer_space(to)), to}, number(data, Sign::without)});
  }
  return true;
}

}  // namespace

bool read_intel_sub_group(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::SubgroupShuffleINTEL:
      return shuffle(reader, in, "intel_sub_group_shuffle");
    case Op::SubgroupShuffleXorINTEL:
      return shuffle(reader, in, "intel_sub_group_shuffle_xor");
    case Op::SubgroupShuffleDownINTEL:
      return shift(reader, in, "intel_sub_group_shuffle_down");
    case Op::SubgroupShuffleUpINTEL:
      return shift(reader, in, "intel_sub_group_shuffle_up");
    case Op::SubgroupBlockReadINTEL:
      return read_block(reader, in, false);
    case Op::SubgroupBlockWriteINTEL:
      return write_block(reader, in, false);
    case Op::SubgroupImageBlockReadINTEL:
      return read_block(reader, in, true);
    case Op::SubgroupImageBlockWriteINTEL:
      return write_block(reader, in, true);
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
