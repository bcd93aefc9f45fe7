// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/built_in.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/memory_access.h"
#include "compiler/spirv/symbols.h"

namespace clcuda::compiler::spirv {

MemoryAccess MemoryAccess::read(const Instruction& instruction, std::size_t& index) {
  MemoryAccess access;
  if (index >= instruction.size()) return access;
  const std::uint32_t mask = instruction[index++];
  access.is_volatile = mask & MemoryAccessMask::Volatile;
  access.is_nontemporal = mask & MemoryAccessMask::Nontemporal;
  if (mask & MemoryAccessMask::Aligned) access.alignment = checked_alignment(instruction[index++]);
  // Availability, visibility and alias scopes have one operand each, which is skipped.
  for (const std::uint32_t bit :
       {MemoryAccessMask::MakePointerAvailable, MemoryAccessMask::MakePointerVisible,
        MemoryAccessMask::AliasScopeINTELMask, MemoryAccessMask::NoAliasINTELMask})
    if (mask & bit) (void)instruction[index++];
  return access;
}

llvm::Align alignment_of(FunctionReader& reader, const MemoryAccess& access, std::uint32_t pointer,
                         const Type& type) {
  if (access.alignment) return *access.alignment;
  if (const auto known = reader.alignment(pointer)) return *known;
  return reader.module().module().getDataLayout().getABITypeAlign(type.memory);
}

namespace {

constexpr std::uint64_t kMostPrivateBytes = std::uint64_t{1} << 30;

llvm::Value* pointer(FunctionReader& reader, std::uint32_t id) {
  llvm::Value* value = reader.value(id);
  require(value->getType()->isPointerTy() && reader.type_of(id).is(TypeKind::pointer),
          "it accesses memory by what is no pointer");
  return value;
}

llvm::Value* writable(FunctionReader& reader, std::uint32_t id) {
  llvm::Value* value = pointer(reader, id);
  require(value->getType()->getPointerAddressSpace() != kConstantSpace, "constant memory cannot be written");
  return value;
}

const Type& sized(const Type& type) {
  require(type.memory && type.memory->isSized() && !type.is(TypeKind::sampled_image),
          "what it accesses has no size in memory");
  return type;
}

std::uint64_t size_of(FunctionReader& reader, const Type& type) {
  return reader.module().module().getDataLayout().getTypeAllocSize(type.memory);
}

bool is_volatile(FunctionReader& reader, const MemoryAccess& access, std::uint32_t pointer) {
  return access.is_volatile || reader.module().decorations().has(pointer, Decoration::Volatile);
}

template <class Access>
void set_hints(FunctionReader& reader, const MemoryAccess& access, Access* instruction) {
  if (!access.is_nontemporal) return;
  auto* one = llvm::ConstantAsMetadata::get(reader.builder().getInt32(1));
  instruction->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(reader.context(), one));
}

// A vector of three elements occupies the space of four. It is loaded and stored as a vector of four if the alignment shows that the fourth
// element is its own padding.
llvm::Type* padded_type(FunctionReader& reader, const Type& type, llvm::Align alignment) {
  if (!type.is(TypeKind::vector) || type.count != 3 || alignment.value() < size_of(reader, type))
    return nullptr;
  return llvm::FixedVectorType::get(type.element->memory, 4);
}

// Stores a large constant as Clang does. (LLVM splits the store of a composite into one of each scalar.) False for other values.
bool copy_constant(FunctionReader& reader, llvm::Value* value, const Type& type, llvm::Value& address,
                   llvm::Align alignment, bool is_volatile) {
  constexpr std::uint64_t kLarge = 64;
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  const std::uint64_t size = size_of(reader, type);
  if (!constant || !type.is_composite() || type.is(TypeKind::vector) || size <= kLarge) return false;
  auto& builder = reader.builder();
  if (constant->isNullValue()) {
    builder.CreateMemSet(&address, builder.getInt8(0), size, alignment, is_volatile);
    return true;
  }
  auto* copy = new llvm::GlobalVariable(reader.module().module(), constant->getType(), true,
                                        llvm::GlobalValue::PrivateLinkage, constant, "const", nullptr,
                                        llvm::GlobalValue::NotThreadLocal, kConstantSpace);
  const llvm::Align natural = reader.module().module().getDataLayout().getABITypeAlign(type.memory);
  copy->setAlignment(natural);
  copy->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  builder.CreateMemCpy(&address, alignment, copy, natural, size, is_volatile);
  return true;
}

void load(FunctionReader& reader, const Instruction& in) {
  if (read_built_in(reader, in) || reader.load_sampler(in)) return;
  llvm::Value* address = pointer(reader, in[0]);
  const Type& type = sized(reader.type(in.type()));
  std::size_t at = 1;
  const MemoryAccess access = MemoryAccess::read(in, at);
  const llvm::Align alignment = alignment_of(reader, access, in[0], type);
  auto& builder = reader.builder();
  llvm::Type* padded = padded_type(reader, type, alignment);
  llvm::LoadInst* loaded = builder.CreateAlignedLoad(padded ? padded : type.memory, address, alignment,
                                                     is_volatile(reader, access, in[0]));
  set_hints(reader, access, loaded);
  llvm::Value* value = padded ? builder.CreateShuffleVector(loaded, llvm::ArrayRef<int>{0, 1, 2}) : loaded;
  reader.define(in, reader.from_memory(value, type));
}

void store(FunctionReader& reader, const Instruction& in) {
  llvm::Value* address = writable(reader, in[0]);
  const Type& type = sized(reader.type_of(in[1]));
  std::size_t at = 2;
  const MemoryAccess access = MemoryAccess::read(in, at);
  const llvm::Align alignment = alignment_of(reader, access, in[0], type);
  auto& builder = reader.builder();
  llvm::Value* value = reader.to_memory(reader.value(in[1]), type);
  if (copy_constant(reader, value, type, *address, alignment, is_volatile(reader, access, in[0]))) return;
  if (padded_type(reader, type, alignment))
    value = builder.CreateShuffleVector(value, llvm::ArrayRef<int>{0, 1, 2, -1});
  set_hints(reader, access,
            builder.CreateAlignedStore(value, address, alignment, is_volatile(reader, access, in[0])));
}

// If there are two sets of operands, they are for target and source; a single set is for both.
struct CopyAccess {
  MemoryAccess target, source;
};
CopyAccess read_copy_access(const Instruction& in, std::size_t at) {
  CopyAccess access;
  access.target = MemoryAccess::read(in, at);
  access.source = at < in.size() ? MemoryAccess::read(in, at) : access.target;
  return access;
}

void copy(FunctionReader& reader, const Instruction& in, llvm::Value* bytes, std::size_t at) {
  llvm::Value* target = writable(reader, in[0]);
  llvm::Value* source = pointer(reader, in[1]);
  const CopyAccess access = read_copy_access(in, at);
  reader.builder().CreateMemCpy(target, access.target.alignment, source, access.source.alignment, bytes,
                                access.target.is_volatile || access.source.is_volatile);
}

void copy_object(FunctionReader& reader, const Instruction& in) {
  const Type* target = reader.type_of(in[0]).element;
  const Type* source = reader.type_of(in[1]).element;
  const Type* type = target ? target : source;
  require(type && (!source || source->value == type->value), "target and source have other types");
  copy(reader, in, reader.builder().getInt64(size_of(reader, sized(*type))), 2);
}

void copy_sized(FunctionReader& reader, const Instruction& in) {
  llvm::Value* bytes = reader.value(in[2]);
  require(bytes->getType()->isIntegerTy() && reader.type_of(in[2]).is(TypeKind::integer),
          "its size is no integer");
  copy(reader, in, reader.builder().CreateZExtOrTrunc(bytes, reader.builder().getInt64Ty()), 3);
}

void initialize(FunctionReader& reader, llvm::AllocaInst& variable, std::uint32_t initializer,
                const Type& type) {
  llvm::Value* value = reader.value(initializer);
  require(value->getType() == type.value, "its initial value has another type");
  value = reader.to_memory(value, type);
  if (!copy_constant(reader, value, type, variable, variable.getAlign(), false))
    reader.builder().CreateAlignedStore(value, &variable, variable.getAlign());
}

void make_variable(FunctionReader& reader, const Instruction& in) {
  const Type& pointer = reader.type(in.type());
  const bool is_untyped = in.op() == Op::UntypedVariableKHR;
  require(pointer.is(TypeKind::pointer) && pointer.storage == StorageClass::Function &&
              static_cast<StorageClass>(in[0]) == StorageClass::Function,
          "a function's variables have the storage class Function");
  const Type* pointee = is_untyped && in.size() > 1 ? &reader.type(in[1]) : pointer.element;
  require(pointee, "what lies in it is not known");
  const Type& type = sized(*pointee);
  require(size_of(reader, type) <= kMostPrivateBytes, "it is too large");
  // At least the natural one, on which accesses without Aligned rely.
  const llvm::Align alignment =
      std::max(decorated_alignment(reader.module(), in.result()).valueOrOne(),
               reader.module().module().getDataLayout().getABITypeAlign(type.memory));
  llvm::AllocaInst* variable = reader.allocate(type.memory, alignment);
  reader.define(in, variable);
  const std::size_t initializer = is_untyped ? 2 : 1;
  if (in.size() > initializer) initialize(reader, *variable, in[initializer], type);
}

}  // namespace

bool read_memory(FunctionReader& reader, const Instruction& instruction) {
  switch (instruction.op()) {
    case Op::Load:
      load(reader, instruction);
      return true;
    case Op::Store:
      store(reader, instruction);
      return true;
    case Op::Variable:
    case Op::UntypedVariableKHR:
      make_variable(reader, instruction);
      return true;
    case Op::CopyMemory:
      copy_object(reader, instruction);
      return true;
    case Op::CopyMemorySized:
      copy_sized(reader, instruction);
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
