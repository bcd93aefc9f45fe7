// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/spirv/enumerants.h"

namespace llvm {
class Constant;
class Type;
}  // namespace llvm

namespace clcuda::compiler::spirv {

enum class TypeKind : std::uint8_t {
  void_type,
  boolean,
  integer,
  floating,
  vector,
  array,
  structure,
  pointer,
  function,
  image,
  sampler,
  sampled_image,
  event,
  device_event,
  reserve_id,
  queue,
  pipe,
  pipe_storage,
  opaque,
};

struct ImageTraits {
  Dim dim = Dim::Dim1D;
  bool is_depth = false;
  bool is_array = false;
  bool is_multisampled = false;
};

// A type of the module. LLVM's types know no pointees, signs and images, so this goes along with every value.
struct Type {
  TypeKind kind = TypeKind::void_type;
  std::uint32_t id = 0;
  // Of values, and of what lies in memory: there a boolean takes a byte, also within structures and arrays
  // that are values.
  llvm::Type* value = nullptr;
  llvm::Type* memory = nullptr;

  std::uint32_t width = 0;  // of a number, in bits
  bool is_signed = false;   // of an integer, if the producer says so
  bool is_bfloat16 = false;
  std::uint64_t count = 0;  // of elements of a vector or an array
  // Of a vector or an array; what a pointer points to, null if that is unknown; a function's result; a
  // sampled image's image.
  const Type* element = nullptr;
  std::vector<const Type*> members;  // of a structure; of a function, its parameters
  bool is_packed = false;            // a structure
  StorageClass storage = StorageClass::Function;
  ImageTraits image;
  std::optional<AccessQualifier> access;  // of an image or a pipe
  std::string name;                       // of a structure or an opaque type
  std::uint64_t parts = 1;                // how many scalars a value is made of
  unsigned depth = 0;                     // of arrays and structures within each other

  bool is(TypeKind other) const { return kind == other; }
  // The type itself, or of a vector its elements'.
  const Type& scalar() const { return kind == TypeKind::vector ? *element : *this; }
  // 1 for what is no vector.
  std::uint64_t lanes() const { return kind == TypeKind::vector ? count : 1; }
  bool is_composite() const {
    return kind == TypeKind::vector || kind == TypeKind::array || kind == TypeKind::structure;
  }
  bool holds_booleans() const { return scalar().kind == TypeKind::boolean; }
};

// LLVM's address space for NVPTX. Refuses storage classes that kernels do not have.
unsigned address_space_of(StorageClass storage);

// Clang's null pointers: in local memory 0 is an address.
llvm::Constant* null_of(llvm::Type* type);

// A constant of a boolean type, or another, as it lies in memory.
llvm::Constant* in_memory(llvm::Constant* constant, const Type& type);

}  // namespace clcuda::compiler::spirv
