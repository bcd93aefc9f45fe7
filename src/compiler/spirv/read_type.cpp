// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/DerivedTypes.h>

#include <array>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/declarations.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

// Limits that no program comes near: LLVM computes sizes without overflow checks and recurses into types without a depth check.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostParts = std::uint64_t{1} << 40;
constexpr std::size_t kMostMembers = 16383;  // the specification's universal limits (section 2.16.1)
constexpr unsigned kDeepestNesting = 255;

class TypeReader {
 public:
  explicit TypeReader(ModuleReader& reader) : reader_(reader) {}

  bool read(const Instruction& in) {
    switch (in.op()) {
      case Op::TypeVoid:
        return add(in, {.kind = TypeKind::void_type, .value = llvm::Type::getVoidTy(context())});
      case Op::TypeBool:
        return add(in, {.kind = TypeKind::boolean, .value = int_type(1), .memory = int_type(8)});
      case Op::TypeInt:
        return add(in, integer(in));
      case Op::TypeFloat:
        return add(in, floating(in));
      case Op::TypeVector:
        return add(in, vector(in));
      case Op::TypeArray:
        return add(in, array(in));
      case Op::TypeStruct:
        return add(in, structure(in));
      case Op::TypePointer:
      case Op::TypeUntypedPointerKHR:
        return add_pointer(in);
      case Op::TypeForwardPointer:
        reader_.announce_pointer(in[0], static_cast<StorageClass>(in[1]));
        return true;
      case Op::TypeFunction:
        return add(in, function(in));
      default:
        return read_handle(in);
    }
  }

 private:
  llvm::LLVMContext& context() { return reader_.context(); }
  llvm::Type* int_type(unsigned width) { return llvm::Type::getIntNTy(context(), width); }
  llvm::Type* pointer_type(unsigned space) { return llvm::PointerType::get(context(), space); }

  bool add(const Instruction& in, Type type) {
    if (!type.memory) type.memory = type.value;
    reader_.add_type(in.result(), std::move(type));
    return true;
  }

  // Images and other opaque types, of which programs see only a handle, are pointers, as in Clang.
  bool read_handle(const Instruction& in) {
    switch (in.op()) {
      case Op::TypeImage:
        return add(in, image(in));
      case Op::TypeSampler:
        return add(in, {.kind = TypeKind::sampler, .value = pointer_type(kConstantSpace)});
      case Op::TypeSampledImage:
        return add(in, sampled_image(in));
      case Op::TypeEvent:
        return add(in, {.kind = TypeKind::event, .value = pointer_type(kGenericSpace)});
      case Op::TypeDeviceEvent:
        return add(in, {.kind = TypeKind::device_event, .value = pointer_type(kGenericSpace)});
      case Op::TypeReserveId:
        return add(in, {.kind = TypeKind::reserve_id, .value = pointer_type(kGenericSpace)});
      case Op::TypeQueue:
        return add(in, {.kind = TypeKind::queue, .value = pointer_type(kGenericSpace)});
      case Op::TypePipe:
        return add(in, {.kind = TypeKind::pipe,
                        .value = pointer_type(kGlobalSpace),
                        .access = static_cast<AccessQualifier>(in[0])});
      case Op::TypePipeStorage:
        return add(in, {.kind = TypeKind::pipe_storage, .value = pointer_type(kGlobalSpace)});
      case Op::TypeOpaque:
        return add(in, opaque(in));
      default:
        return false;
    }
  }

  Type integer(const Instruction& in) {
    const std::uint32_t width = in[0];
    require(width == 8 || width == 16 || width == 32 || width == 64, "integers have 8, 16, 32 or 64 bits");
    return {.kind = TypeKind::integer, .value = int_type(width), .width = width, .is_signed = in[1] != 0};
  }

  Type floating(const Instruction& in) {
    const std::uint32_t width = in[0];
    Type type{.kind = TypeKind::floating, .width = width};
    require(in.size() == 1, "the encoding of its floating-point type is not supported");
    if (width == 16) {
      type.value = llvm::Type::getHalfTy(context());
    } else if (width == 32) {
      type.value = llvm::Type::getFloatTy(context());
    } else if (width == 64) {
      type.value = llvm::Type::getDoubleTy(context());
    } else {
      refuse("floating-point numbers have 16, 32 or 64 bits");
    }
    return type;
  }

  Type vector(const Instruction& in) {
    const Type& element = reader_.type(in[0]);
    const std::uint32_t count = in[1];
    require(element.is(TypeKind::boolean) || element.is(TypeKind::integer) || element.is(TypeKind::floating),
            "a vector is of numbers or booleans");
    require(count == 2 || count == 3 || count == 4 || count == 8 || count == 16,
            "a vector has 2, 3, 4, 8 or 16 elements");
    return {.kind = TypeKind::vector,
            .value = llvm::FixedVectorType::get(element.value, count),
            .memory = llvm::FixedVectorType::get(element.memory, count),
            .count = count,
            .element = &element,
            .parts = count};
  }

  // The type, which must be one of objects in memory, so that it has a size.
  const Type& sized(std::uint32_t id) {
    const Type& type = reader_.type(id);
    if (!type.memory || !type.memory->isSized()) refuse("%" + std::to_string(id) + " is a type without size");
    return type;
  }
  std::uint64_t size_of(const Type& type) const {
    return reader_.module().getDataLayout().getTypeAllocSize(type.memory);
  }

  Type array(const Instruction& in) {
    const Type& element = sized(in[0]);
    const std::uint64_t count = reader_.integer(in[1]);
    require(count > 0, "an array has elements");
    require(count <= kMostElements && size_of(element) * count <= kMostBytes &&
                element.parts * count <= kMostParts,
            "the array is too large");
    Type type{.kind = TypeKind::array,
              .value = llvm::ArrayType::get(element.memory, count),
              .count = count,
              .element = &element,
              .parts = element.parts * count};
    type.depth = deeper(element.depth);
    return type;
  }

  static unsigned deeper(unsigned depth) {
    require(depth < kDeepestNesting, "types are nested too deeply");
    return depth + 1;
  }

  Type structure(const Instruction& in) {
    Type type{.kind = TypeKind::structure,
              .is_packed = reader_.decorations().has(in.result(), Decoration::CPacked),
              .name = reader_.name(in.result()),
              .parts = 1};
    require(in.size() <= kMostMembers, "a structure has too many members");
    std::vector<llvm::Type*> members;
    std::uint64_t bytes = 0;
    for (const std::uint32_t id : in.operands()) {
      const Type& member = sized(id);
      type.members.push_back(&member);
      members.push_back(member.memory);
      type.parts += member.parts;
      type.depth = std::max(type.depth, deeper(member.depth));
      bytes += size_of(member);
      require(bytes <= kMostBytes && type.parts <= kMostParts, "the structure is too large");
    }
    type.value = type.name.empty() ? llvm::StructType::get(context(), members, type.is_packed)
                                   : llvm::StructType::create(context(), members, type.name, type.is_packed);
    return type;
  }

  bool add_pointer(const Instruction& in) {
    Type type{.kind = TypeKind::pointer, .storage = static_cast<StorageClass>(in[0])};
    type.value = pointer_type(address_space_of(type.storage));
    if (in.op() == Op::TypePointer) type.element = &reader_.type(in[1]);
    return add(in, std::move(type));
  }

  Type function(const Instruction& in) {
    const Type& result = reader_.type(in[0]);
    require(result.value && !result.is(TypeKind::function) && !result.is(TypeKind::opaque),
            "a function cannot give that back");
    Type type{.kind = TypeKind::function, .element = &result};
    std::vector<llvm::Type*> parameters;
    for (const std::uint32_t id : in.operands_from(1)) {
      const Type& parameter = reader_.type(id);
      require(parameter.value && parameter.value->isFirstClassType() && !parameter.is(TypeKind::opaque),
              "a function cannot take that");
      type.members.push_back(&parameter);
      parameters.push_back(parameter.value);
    }
    type.value = llvm::FunctionType::get(result.value, parameters, false);
    return type;
  }

  Type image(const Instruction& in) {
    Type type{.kind = TypeKind::image, .value = pointer_type(kGlobalSpace)};
    require(reader_.type(in[0]).is(TypeKind::void_type), "the texels of a kernel's image have no type");
    type.image = {static_cast<Dim>(in[1]), in[2] == 1, in[3] == 1, in[4] == 1};
    // The default access qualifier is read_only (OpenCL C section 6.8).
    type.access = in.size() > 7 ? static_cast<AccessQualifier>(in[7]) : AccessQualifier::ReadOnly;
    return type;
  }

  Type sampled_image(const Instruction& in) {
    const Type& image = reader_.type(in[0]);
    require(image.is(TypeKind::image), "it is made of no image");
    return {.kind = TypeKind::sampled_image,
            .value = llvm::StructType::get(pointer_type(kGlobalSpace), pointer_type(kConstantSpace)),
            .element = &image,
            .parts = 2};
  }

  Type opaque(const Instruction& in) {
    const std::string name = in.text_at(0);
    return {.kind = TypeKind::opaque,
            .value = llvm::StructType::create(context(), "opaque." + name),
            .name = name};
  }

  ModuleReader& reader_;
};

}  // namespace

bool read_type(ModuleReader& reader, const Instruction& instruction) {
  return TypeReader(reader).read(instruction);
}

}  // namespace clcuda::compiler::spirv
