// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Constants.h>

#include "compiler/spirv/built_in.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

// The number of parts of a composite.
std::uint64_t parts_of(const Type& type) {
  return type.is(TypeKind::structure) ? type.members.size() : type.count;
}

const Type& part_of(const Type& type, std::uint32_t index) {
  require(type.is_composite(), "there is nothing to be indexed");
  require(index < parts_of(type), "an index is beyond the end");
  return type.is(TypeKind::structure) ? *type.members[index] : *type.element;
}

// Extracts a part of a composite. Booleans in structures and arrays are bytes.
llvm::Value* get(FunctionReader& reader, llvm::Value* whole, const Type& type, std::uint32_t index) {
  const Type& part = part_of(type, index);
  if (type.is(TypeKind::vector)) return reader.builder().CreateExtractElement(whole, index);
  return reader.from_memory(reader.builder().CreateExtractValue(whole, index), part);
}

llvm::Value* put(FunctionReader& reader, llvm::Value* whole, const Type& type, std::uint32_t index,
                 llvm::Value* value) {
  const Type& part = part_of(type, index);
  require(value->getType() == part.value, "the value has another type than its place");
  if (type.is(TypeKind::vector)) return reader.builder().CreateInsertElement(whole, value, index);
  return reader.builder().CreateInsertValue(whole, reader.to_memory(value, part), index);
}

// A copy of another type, whose parts correspond (OpCopyLogical). The types of LLVM differ where structures have names. `most`: how many
// parts may still be copied, at all levels together.
llvm::Value* copied_logically(FunctionReader& reader, llvm::Value* value, const Type& from, const Type& to,
                              std::uint64_t& most) {
  if (from.value == to.value) return value;
  require((to.is(TypeKind::structure) || to.is(TypeKind::array)) && from.is(to.kind) &&
              parts_of(from) == parts_of(to),
          "its operand does not correspond to its type");
  require(parts_of(to) <= most, "it copies more parts than are supported");
  most -= parts_of(to);
  llvm::Value* whole = llvm::PoisonValue::get(to.value);
  for (std::uint32_t i = 0; i < parts_of(to); ++i) {
    llvm::Value* part = get(reader, value, from, i);
    whole = put(reader, whole, to, i, copied_logically(reader, part, part_of(from, i), part_of(to, i), most));
  }
  return whole;
}

void copy_logically(FunctionReader& reader, const Instruction& in) {
  std::uint64_t most = 4096;
  reader.define(
      in, copied_logically(reader, reader.value(in[0]), reader.type_of(in[0]), reader.type(in.type()), most));
}

void extract(FunctionReader& reader, const Instruction& in) {
  llvm::Value* value = reader.value(in[0]);
  const Type* type = &reader.type_of(in[0]);
  for (const std::uint32_t index : in.operands_from(1)) {
    value = get(reader, value, *type, index);
    type = &part_of(*type, index);
  }
  reader.define(in, value);
}

void insert(FunctionReader& reader, const Instruction& in) {
  const auto indices = in.operands_from(2);
  require(!indices.empty(), "there is no index");
  std::vector<llvm::Value*> wholes = {reader.value(in[1])};
  std::vector<const Type*> types = {&reader.type_of(in[1])};
  for (const std::uint32_t index : indices.first(indices.size() - 1)) {
    wholes.push_back(get(reader, wholes.back(), *types.back(), index));
    types.push_back(&part_of(*types.back(), index));
  }
  llvm::Value* value = reader.value(in[0]);
  for (std::size_t i = indices.size(); i-- > 0;) value = put(reader, wholes[i], *types[i], indices[i], value);
  reader.define(in, value);
}

// The constituents of a vector may be vectors too, whose elements are concatenated.
llvm::Value* construct_vector(FunctionReader& reader, const Instruction& in, const Type& type) {
  llvm::Value* whole = llvm::PoisonValue::get(type.value);
  std::uint32_t at = 0;
  for (const std::uint32_t id : in.operands()) {
    llvm::Value* value = reader.value(id);
    const Type& part = reader.type_of(id);
    if (!part.is(TypeKind::vector)) {
      whole = put(reader, whole, type, at++, value);
      continue;
    }
    for (std::uint32_t i = 0; i < part.count; ++i)
      whole = put(reader, whole, type, at++, get(reader, value, part, i));
  }
  require(at == type.count, "its constituents are fewer than the vector's elements");
  return whole;
}

void construct(FunctionReader& reader, const Instruction& in) {
  const Type& type = reader.type(in.type());
  if (type.is(TypeKind::vector)) return reader.define(in, construct_vector(reader, in, type));
  require(type.is(TypeKind::structure) || type.is(TypeKind::array), "its type is not composite");
  require(in.size() == parts_of(type), "it has another number of constituents than its type");
  llvm::Value* whole = llvm::PoisonValue::get(type.value);
  for (std::uint32_t i = 0; i < in.size(); ++i) whole = put(reader, whole, type, i, reader.value(in[i]));
  reader.define(in, whole);
}

const Type& vector_of(FunctionReader& reader, std::uint32_t id) {
  const Type& type = reader.type_of(id);
  require(type.is(TypeKind::vector), "an operand is no vector");
  return type;
}

llvm::Value* index_value(FunctionReader& reader, std::uint32_t id) {
  require(reader.type_of(id).is(TypeKind::integer), "an index is no integer");
  return reader.value(id);
}

void insert_dynamically(FunctionReader& reader, const Instruction& in) {
  const Type& type = vector_of(reader, in[0]);
  llvm::Value* component = reader.value(in[1]);
  require(component->getType() == type.element->value, "the component has another type than the vector's");
  reader.define(
      in, reader.builder().CreateInsertElement(reader.value(in[0]), component, index_value(reader, in[2])));
}

// LLVM shuffles two vectors of one type, so the shorter one is extended to the length of the other.
void shuffle(FunctionReader& reader, const Instruction& in) {
  constexpr std::uint32_t kUndefined = 0xffffffff;
  const Type& first = vector_of(reader, in[0]);
  const Type& second = vector_of(reader, in[1]);
  require(first.element->value == second.element->value, "its vectors are of different types");
  auto& builder = reader.builder();
  const auto length = static_cast<int>(std::max(first.count, second.count));
  const auto lengthen = [&](llvm::Value* vector, const Type& type) {
    std::vector<int> places(length, -1);
    for (int i = 0; i < static_cast<int>(type.count); ++i) places[i] = i;
    return static_cast<int>(type.count) == length ? vector : builder.CreateShuffleVector(vector, places);
  };
  std::vector<int> places;
  for (const std::uint32_t component : in.operands_from(2)) {
    require(component == kUndefined || component < first.count + second.count,
            "a component is beyond the end");
    places.push_back(component == kUndefined   ? -1
                     : component < first.count ? static_cast<int>(component)
                                               : static_cast<int>(component - first.count) + length);
  }
  require(!places.empty(), "there is no component");
  llvm::Value* left = lengthen(reader.value(in[0]), first);
  llvm::Value* right = lengthen(reader.value(in[1]), second);
  reader.define(in, builder.CreateShuffleVector(left, right, places));
}

}  // namespace

bool read_composite(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::CompositeConstruct:
      construct(reader, in);
      return true;
    case Op::CompositeExtract:
      extract(reader, in);
      return true;
    case Op::CompositeInsert:
      insert(reader, in);
      return true;
    case Op::VectorExtractDynamic:
      if (extract_built_in(reader, in)) return true;
      (void)vector_of(reader, in[0]);
      reader.define(in,
                    reader.builder().CreateExtractElement(reader.value(in[0]), index_value(reader, in[1])));
      return true;
    case Op::VectorInsertDynamic:
      insert_dynamically(reader, in);
      return true;
    case Op::VectorShuffle:
      shuffle(reader, in);
      return true;
    case Op::CopyLogical:
      copy_logically(reader, in);
      return true;
    case Op::CopyObject:
      if (derive_built_in(reader, in)) return true;
      reader.define(in, reader.value(in[0]));
      reader.take_alignment(in, {in[0]});
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
