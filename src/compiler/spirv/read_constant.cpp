// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APInt.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/declarations.h"
#include "compiler/spirv/folded_constant.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

// The value of a literal number, whose low-order word comes first.
std::uint64_t literal(const Instruction& in, std::uint32_t width) {
  require(in.size() == (width > 32 ? 2u : 1u), "its value has another width than its type");
  return width > 32 ? in[0] | std::uint64_t{in[1]} << 32 : in[0];
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 8); ++i)
    number |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return number;
}

// The value that the application has given to a specialization constant.
std::optional<std::uint64_t> specialized(ModuleReader& reader, const Instruction& in) {
  const auto id = reader.decorations().operand(in.result(), Decoration::SpecId);
  if (!id) return std::nullopt;
  for (const Specialization& value : reader.unit().specializations)
    if (value.id == *id) return little_endian(value.value);
  return std::nullopt;
}

llvm::Constant* number(const Type& type, std::uint64_t bits) {
  const llvm::APInt integer = llvm::APInt(64, bits).trunc(type.width);
  if (type.is(TypeKind::integer)) return llvm::ConstantInt::get(type.value->getContext(), integer);
  require(type.is(TypeKind::floating), "its type is no number's");
  return llvm::ConstantFP::get(type.value->getContext(),
                               llvm::APFloat(type.value->getFltSemantics(), integer));
}

llvm::Constant* read_number(ModuleReader& reader, const Instruction& in, bool is_specializable) {
  const Type& type = reader.type(in.type());
  require(type.width != 0, "its type is no number's");
  std::uint64_t bits = literal(in, type.width);
  if (is_specializable) bits = specialized(reader, in).value_or(bits);
  return number(type, bits);
}

llvm::Constant* read_boolean(ModuleReader& reader, const Instruction& in, bool value) {
  const Type& type = reader.type(in.type());
  require(type.is(TypeKind::boolean), "its type is not boolean");
  if (in.op() == Op::SpecConstantTrue || in.op() == Op::SpecConstantFalse)
    value = specialized(reader, in).value_or(value ? 1 : 0) != 0;
  return llvm::ConstantInt::getBool(type.value, value);
}

// A constituent of a composite: as a value in a vector, in its memory representation in structures and arrays.
llvm::Constant* constituent(const ModuleReader& reader, std::uint32_t id, const Type& wanted,
                            bool of_vector) {
  llvm::Constant& constant = reader.constant(id);
  require(reader.find(id)->type->value == wanted.value, "a constituent has another type");
  require(!wanted.is(TypeKind::sampler), "samplers cannot be parts of constants");
  return of_vector ? &constant : in_memory(&constant, wanted);
}

llvm::Constant* read_composite(ModuleReader& reader, const Instruction& in) {
  const Type& type = reader.type(in.type());
  require(type.is_composite(), "its type is not composite");
  const bool is_structure = type.is(TypeKind::structure);
  const std::uint64_t count = is_structure ? type.members.size() : type.count;
  require(in.size() == count, "it has another number of constituents than its type");
  std::vector<llvm::Constant*> parts;
  for (std::size_t i = 0; i < count; ++i)
    parts.push_back(constituent(reader, in[i], is_structure ? *type.members[i] : *type.element,
                                type.is(TypeKind::vector)));
  if (is_structure) return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(type.value), parts);
  if (type.is(TypeKind::vector)) return llvm::ConstantVector::get(parts);
  return llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(type.value), parts);
}

const Type& type_with_values(ModuleReader& reader, const Instruction& in) {
  const Type& type = reader.type(in.type());
  require(type.value->isFirstClassType() && type.value->isSized() && !type.is(TypeKind::opaque),
          "there are no values of its type");
  return type;
}

// Clang's number for a literal sampler. FunctionReader::value() creates the sampler where it is used.
llvm::Constant* read_sampler(ModuleReader& reader, const Instruction& in) {
  require(reader.type(in.type()).is(TypeKind::sampler), "its type is no sampler's");
  const std::uint32_t number = in[0] << 1 | (in[1] ? 1 : 0) | (in[2] + 1) << 4;
  return llvm::ConstantInt::get(llvm::Type::getInt32Ty(reader.context()), number);
}

// The pointer is a generic one: LLVM's back end casts it to such a pointer (OpPtrCastToGeneric), which the extension does not allow. Its
// storage class is CodeSectionINTEL; LLVM's translator has written Function.
llvm::Constant* read_function_pointer(ModuleReader& reader, const Instruction& in) {
  const FunctionText* text = reader.function(in[0]);
  require(text && text->function, "it points to what is no function");
  require(!text->function->isIntrinsic(), "the function is part of the compiler, and has no address");
  const Type& type = reader.type(in.type());
  require(type.is(TypeKind::pointer) && type.value->getPointerAddressSpace() == kGenericSpace,
          "its type is no pointer to code");
  require(!type.element || type.element->value == text->type->value, "its type is that of another function");
  return text->function;
}

llvm::Constant* read_value(ModuleReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::ConstantTrue:
    case Op::SpecConstantTrue:
      return read_boolean(reader, in, true);
    case Op::ConstantFalse:
    case Op::SpecConstantFalse:
      return read_boolean(reader, in, false);
    case Op::Constant:
      return read_number(reader, in, false);
    case Op::SpecConstant:
      return read_number(reader, in, true);
    case Op::ConstantComposite:
    case Op::SpecConstantComposite:
      return read_composite(reader, in);
    case Op::ConstantNull:
      return null_of(type_with_values(reader, in).value);
    case Op::Undef:
      return llvm::UndefValue::get(type_with_values(reader, in).value);
    case Op::ConstantSampler:
      return read_sampler(reader, in);
    case Op::ConstantFunctionPointerINTEL:
      return read_function_pointer(reader, in);
    case Op::SpecConstantOp:
      return fold(reader, in);
    default:
      return nullptr;
  }
}

}  // namespace

bool read_constant(ModuleReader& reader, const Instruction& instruction) {
  llvm::Constant* value = read_value(reader, instruction);
  if (!value) return instruction.op() == Op::SpecConstantOp;  // the functions that use it compute it
  reader.define(instruction.result(), reader.type(instruction.type()), value);
  const auto built_in = reader.decorations().operand(instruction.result(), Decoration::BuiltIn);
  if (built_in && static_cast<BuiltIn>(*built_in) == BuiltIn::WorkgroupSize)
    reader.set_work_group_size(instruction.result());
  return true;
}

}  // namespace clcuda::compiler::spirv
