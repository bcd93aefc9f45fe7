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

// The kinds of SPIR-V's types that kernels can have: OpTypeVoid, OpTypeBool, …
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

// The operands of OpTypeImage that matter in OpenCL.
struct ImageTraits {
  Dim dim = Dim::Dim1D;
  bool is_depth = false;
  bool is_array = false;
  bool is_multisampled = false;
};

// A type of the module. It accompanies each value, because LLVM's types do not tell pointees, signs and kinds of images.
//
//   OpTypeVector %float 4    kind vector, element float, count 4, value and memory <4 x float>
struct Type {
  TypeKind kind = TypeKind::void_type;
  std::uint32_t id = 0;
  // The LLVM types of values, and of what is in memory. A boolean in memory takes a byte, as it does within structures and arrays that are
  // values.
  llvm::Type* value = nullptr;
  llvm::Type* memory = nullptr;

  std::uint32_t width = 0;  // of a number, in bits
  bool is_signed = false;   // of an integer, if the producer states it
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

// The LLVM address space of a storage class for NVPTX. Throws ProgramError for storage classes that kernels do not have.
unsigned address_space_of(StorageClass storage);

// The null value of a type, as Clang emits it: pointers to local memory in it are the generic null pointer converted
// (passes/abi/fold_local_nulls.h).
llvm::Constant* null_of(llvm::Type* type);

// A constant of a type as it is in memory, where a boolean takes a byte.
llvm::Constant* in_memory(llvm::Constant* constant, const Type& type);

}  // namespace clcuda::compiler::spirv
