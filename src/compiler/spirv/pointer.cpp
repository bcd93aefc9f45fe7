// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Constants.h>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/built_in.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

// OpAccessChain and its seven variants: the base, the type that it is assumed to point to, and where the indices begin.
struct Chain {
  std::uint32_t base;
  const Type* type;
  std::size_t first_index;
  bool has_element;
  bool is_in_bounds;
};

std::optional<Chain> chain_of(FunctionReader& reader, const Instruction& in) {
  const auto typed = [&](bool has_element, bool in_bounds) {
    return Chain{in[0], reader.type_of(in[0]).element, 1, has_element, in_bounds};
  };
  const auto untyped = [&](bool has_element, bool in_bounds) {
    return Chain{in[1], &reader.type(in[0]), 2, has_element, in_bounds};
  };
  switch (in.op()) {
    case Op::AccessChain:
      return typed(false, false);
    case Op::InBoundsAccessChain:
      return typed(false, true);
    case Op::PtrAccessChain:
      return typed(true, false);
    case Op::InBoundsPtrAccessChain:
      return typed(true, true);
    case Op::UntypedAccessChainKHR:
      return untyped(false, false);
    case Op::UntypedInBoundsAccessChainKHR:
      return untyped(false, true);
    case Op::UntypedPtrAccessChainKHR:
      return untyped(true, false);
    case Op::UntypedInBoundsPtrAccessChainKHR:
      return untyped(true, true);
    default:
      return std::nullopt;
  }
}

llvm::Value* index_value(FunctionReader& reader, std::uint32_t id) {
  llvm::Value* value = reader.value(id);
  require(reader.type_of(id).is(TypeKind::integer) && value->getType()->isIntegerTy(),
          "an index is no integer");
  return value;
}

// Follows indices into a type and converts them to LLVM's.
class Path {
 public:
  Path(FunctionReader& reader, const Type& type) : reader_(reader), type_(&type) {}

  void step(std::uint32_t index) {
    if (type_->is(TypeKind::structure)) {
      const auto member = reader_.integer(index);
      require(member && *member < type_->members.size(), "the structure has no such member");
      is_packed_ |= type_->is_packed;
      indices_.push_back(reader_.builder().getInt32(static_cast<std::uint32_t>(*member)));
      type_ = type_->members[*member];
      return;
    }
    require(type_->is(TypeKind::array) || type_->is(TypeKind::vector), "there is nothing to be indexed");
    indices_.push_back(index_value(reader_, index));
    type_ = type_->element;
  }
  void add(llvm::Value* index) { indices_.push_back(index); }

  llvm::ArrayRef<llvm::Value*> indices() const { return indices_; }
  bool is_packed() const { return is_packed_; }

 private:
  FunctionReader& reader_;
  const Type* type_;
  std::vector<llvm::Value*> indices_;
  bool is_packed_ = false;
};

bool is_byte(const Type& type) { return type.is(TypeKind::integer) && type.width == 8; }

// What one index leads to in a type; null if there is nothing.
const Type* element_at(const Type& type, std::uint64_t index) {
  if (type.is(TypeKind::array) || type.is(TypeKind::vector)) return type.element;
  return type.is(TypeKind::structure) && index < type.members.size() ? type.members[index] : nullptr;
}

// LLVM 22's SPIR-V back end writes the constant address of a byte within a variable, `getelementptr (i8, ptr @v, i64 8)`, as a chain
// through the variable's type with the indices 0 and 8 and a pointer to a byte as its result. No valid module has such a chain: the result
// of OpPtrAccessChain points to what its indices lead to. Nothing for other chains, also if the second index leads to a byte.
std::optional<std::uint64_t> byte_offset(const FunctionReader& reader, const Instruction& in,
                                         const Chain& chain) {
  const Type* pointee = reader.type(in.type()).element;
  if (!chain.has_element || in.size() != chain.first_index + 2 || !pointee || !is_byte(*pointee))
    return std::nullopt;
  const auto first = reader.integer(in[chain.first_index]),
             offset = reader.integer(in[chain.first_index + 1]);
  if (first != 0U || !offset) return std::nullopt;
  const Type* found = element_at(*chain.type, *offset);
  return found && is_byte(*found) ? std::nullopt : offset;
}

void read_chain(FunctionReader& reader, const Instruction& in, const Chain& chain) {
  if (derive_built_in(reader, in)) return;
  llvm::Value* base = reader.value(chain.base);
  require(base->getType()->isPointerTy(), "its base is no pointer");
  require(chain.type && chain.type->memory && chain.type->memory->isSized(),
          "what its base points to has no size");
  if (const auto bytes = byte_offset(reader, in, chain))
    return reader.define(in, reader.builder().CreatePtrAdd(base, reader.builder().getInt64(*bytes)));
  Path path(reader, *chain.type);
  std::size_t at = chain.first_index;
  path.add(chain.has_element ? index_value(reader, in[at++]) : reader.builder().getInt64(0));
  for (; at < in.size(); ++at) path.step(in[at]);
  const auto flags = chain.is_in_bounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none();
  reader.define(in, reader.builder().CreateGEP(chain.type->memory, base, path.indices(), "", flags));
  reader.take_alignment(in, {chain.base});
  if (path.is_packed()) reader.set_alignment(in.result(), llvm::Align(1));
}

llvm::Value* pointer(FunctionReader& reader, std::uint32_t id) {
  llvm::Value* value = reader.value(id);
  require(value->getType()->isPointerTy() && reader.type_of(id).is(TypeKind::pointer),
          "an operand is no pointer");
  return value;
}

// Of a function, too, where LLVM's translator writes its id for a pointer to it.
llvm::Value* address(FunctionReader& reader, std::uint32_t id) {
  return reader.type_of(id).is(TypeKind::function) ? reader.value(id) : pointer(reader, id);
}

struct Pair {
  llvm::Value *left, *right;
};
Pair addresses(FunctionReader& reader, const Instruction& in) {
  const Pair pair{address(reader, in[0]), address(reader, in[1])};
  require(pair.left->getType() == pair.right->getType(), "its operands have other storage classes");
  return pair;
}

void read_difference(FunctionReader& reader, const Instruction& in) {
  for (const std::uint32_t id : {in[0], in[1]}) (void)pointer(reader, id);
  const auto [left, right] = addresses(reader, in);
  // Untyped pointers point into an array of bytes (SPV_KHR_untyped_pointers).
  const Type* element = reader.type_of(in[0]).element;
  llvm::Type* memory = element ? element->memory : reader.builder().getInt8Ty();
  const llvm::DataLayout& layout = reader.module().module().getDataLayout();
  require(memory && memory->isSized() && layout.getTypeAllocSize(memory) > 0,
          "what its operands point to has no size");
  const Type& type = reader.type(in.type());
  require(type.is(TypeKind::integer), "its result is no integer");
  auto& builder = reader.builder();
  llvm::Value* distance = builder.CreateSub(builder.CreatePtrToInt(left, builder.getInt64Ty()),
                                            builder.CreatePtrToInt(right, builder.getInt64Ty()));
  const auto size = layout.getTypeAllocSize(memory);
  reader.define(
      in, builder.CreateSExtOrTrunc(builder.CreateExactSDiv(distance, builder.getInt64(size)), type.value));
}

// Casts between the generic address space and others. Explicit casts call Clang's functions, which test in which space a generic pointer
// is.
void read_cast(FunctionReader& reader, const Instruction& in) {
  if (derive_built_in(reader, in)) return;
  const Type& type = reader.type(in.type());
  require(type.is(TypeKind::pointer), "its result is no pointer");
  llvm::Value* value = pointer(reader, in[0]);
  const auto& operand = reader.type_of(in[0]);
  const bool to_generic = in.op() == Op::PtrCastToGeneric;
  require((to_generic ? type : operand).value->getPointerAddressSpace() == kGenericSpace,
          "no side of it is generic");
  reader.define(in, reader.builder().CreateAddrSpaceCast(value, type.value));
  reader.take_alignment(in, {in[0]});
}

void read_explicit_cast(FunctionReader& reader, const Instruction& in) {
  const Type& type = reader.type(in.type());
  llvm::Value* value = pointer(reader, in[0]);
  require(value->getType()->getPointerAddressSpace() == kGenericSpace, "its operand is not generic");
  require(type.is(TypeKind::pointer) && static_cast<StorageClass>(in[1]) == type.storage,
          "its result has another storage class");
  const char* function = type.storage == StorageClass::CrossWorkgroup ? "__to_global"
                         : type.storage == StorageClass::Workgroup    ? "__to_local"
                         : type.storage == StorageClass::Function     ? "__to_private"
                                                                      : nullptr;
  require(function, "there is no cast to that storage class");
  reader.define(in, reader.call(function, type.value, {value}, false));
  reader.take_alignment(in, {in[0]});
}

void read_size(FunctionReader& reader, const Instruction& in) {
  const Type* pointee = reader.type_of(in[0]).element;
  const Type& type = reader.type(in.type());
  require(pointee && pointee->memory && pointee->memory->isSized(), "what its operand points to has no size");
  require(type.is(TypeKind::integer), "its result is no integer");
  const auto size = reader.module().module().getDataLayout().getTypeAllocSize(pointee->memory);
  reader.define(in, llvm::ConstantInt::get(reader.context(), llvm::APInt(64, size).trunc(type.width)));
}

void read_integer_cast(FunctionReader& reader, const Instruction& in) {
  auto& builder = reader.builder();
  const Type& type = reader.type(in.type());
  if (in.op() == Op::ConvertPtrToU) {
    require(type.is(TypeKind::integer), "its result is no integer");
    reader.define(in, builder.CreatePtrToInt(address(reader, in[0]), type.value));
    return;
  }
  require(type.is(TypeKind::pointer) && reader.type_of(in[0]).is(TypeKind::integer),
          "it makes no pointer of an integer");
  reader.define(in, builder.CreateIntToPtr(reader.value(in[0]), type.value));
}

}  // namespace

bool read_pointer(FunctionReader& reader, const Instruction& in) {
  if (const auto chain = chain_of(reader, in)) {
    read_chain(reader, in, *chain);
    return true;
  }
  switch (in.op()) {
    case Op::PtrEqual:
    case Op::PtrNotEqual: {
      const auto [left, right] = addresses(reader, in);
      const auto predicate = in.op() == Op::PtrEqual ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE;
      reader.define(in, reader.builder().CreateICmp(predicate, left, right));
      return true;
    }
    case Op::SizeOf:
      read_size(reader, in);
      return true;
    case Op::PtrDiff:
      read_difference(reader, in);
      return true;
    case Op::PtrCastToGeneric:
    case Op::GenericCastToPtr:
      read_cast(reader, in);
      return true;
    case Op::GenericCastToPtrExplicit:
      read_explicit_cast(reader, in);
      return true;
    case Op::ConvertPtrToU:
    case Op::ConvertUToPtr:
      read_integer_cast(reader, in);
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
