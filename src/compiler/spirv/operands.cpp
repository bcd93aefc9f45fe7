// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/operands.h"

#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

Operands of_one_type(const Operands& operands) {
  require(operands.left->getType() == operands.right->getType(), "its operands have different types");
  return operands;
}

}  // namespace

llvm::Value* integer(FunctionReader& reader, std::uint32_t id) {
  llvm::Value* value = reader.value(id);
  require(reader.type_of(id).scalar().is(TypeKind::integer), "an operand is no integer");
  return value;
}

llvm::Value* floating(FunctionReader& reader, std::uint32_t id) {
  llvm::Value* value = reader.value(id);
  require(reader.type_of(id).scalar().is(TypeKind::floating), "an operand is no floating-point number");
  return value;
}

llvm::Value* boolean(FunctionReader& reader, std::uint32_t id) {
  llvm::Value* value = reader.value(id);
  require(reader.type_of(id).holds_booleans(), "an operand is not boolean");
  return value;
}

Operands integers(FunctionReader& reader, const Instruction& instruction) {
  return of_one_type({integer(reader, instruction[0]), integer(reader, instruction[1])});
}

Operands floats(FunctionReader& reader, const Instruction& instruction) {
  return of_one_type({floating(reader, instruction[0]), floating(reader, instruction[1])});
}

Operands booleans(FunctionReader& reader, const Instruction& instruction) {
  return of_one_type({boolean(reader, instruction[0]), boolean(reader, instruction[1])});
}

}  // namespace clcuda::compiler::spirv
