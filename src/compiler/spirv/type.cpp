// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/type.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

#include "compiler/parts_of_types.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {

unsigned address_space_of(StorageClass storage) {
  switch (storage) {
    case StorageClass::Function:
    case StorageClass::Generic:
    case StorageClass::CodeSectionINTEL:
      return 0;
    // Of a built-in variable there is a private copy, if need be (built_in.h).
    case StorageClass::Input:
      return 0;
    case StorageClass::CrossWorkgroup:
    case StorageClass::DeviceOnlyINTEL:
    case StorageClass::HostOnlyINTEL:
      return 1;
    case StorageClass::Workgroup:
      return kLocalSpace;
    case StorageClass::UniformConstant:
      return 4;
    default:
      refuse("kernels have no storage class " + name_of(storage));
  }
}

namespace {

// The null value of a pointer to local memory is not zero.
bool is_local_pointer(const llvm::Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == kLocalSpace;
}

// Makes each type's null value once: the members of a structure of structures may be exponentially many.
class Nulls {
 public:
  llvm::Constant* of(llvm::Type* type) {
    if (!local_pointers_.are_in(type)) return llvm::Constant::getNullValue(type);
    if (llvm::Constant* known = known_.lookup(type)) return known;
    llvm::Constant* null = make(type);
    return known_[type] = null;
  }

 private:
  llvm::Constant* make(llvm::Type* type) {
    if (type->isPointerTy())
      return llvm::ConstantExpr::getAddrSpaceCast(
          llvm::ConstantPointerNull::get(llvm::PointerType::get(type->getContext(), 0)), type);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      constexpr std::uint64_t kMostElements = 1 << 16;
      require(array->getNumElements() <= kMostElements, "it has too many null pointers");
      const std::vector<llvm::Constant*> elements(array->getNumElements(), of(array->getElementType()));
      return llvm::ConstantArray::get(array, elements);
    }
    auto* structure = llvm::cast<llvm::StructType>(type);
    std::vector<llvm::Constant*> members;
    for (llvm::Type* member : structure->elements()) members.push_back(of(member));
    return llvm::ConstantStruct::get(structure, members);
  }

  PartsOfTypes local_pointers_{is_local_pointer};
  llvm::DenseMap<llvm::Type*, llvm::Constant*> known_;
};

}  // namespace

llvm::Constant* null_of(llvm::Type* type) { return Nulls().of(type); }

llvm::Constant* in_memory(llvm::Constant* constant, const Type& type) {
  if (!type.holds_booleans()) return constant;
  if (llvm::isa<llvm::PoisonValue>(constant)) return llvm::PoisonValue::get(type.memory);
  if (llvm::isa<llvm::UndefValue>(constant)) return llvm::UndefValue::get(type.memory);
  auto* byte = type.memory->getScalarType();
  const auto widen = [&](const llvm::Constant* bit) -> llvm::Constant* {
    if (llvm::isa<llvm::UndefValue>(bit)) return llvm::UndefValue::get(byte);
    return llvm::ConstantInt::get(byte, bit->isNullValue() ? 0 : 1);
  };
  if (!type.is(TypeKind::vector)) return widen(constant);
  std::vector<llvm::Constant*> elements;
  for (unsigned i = 0; i < type.count; ++i) elements.push_back(widen(constant->getAggregateElement(i)));
  return llvm::ConstantVector::get(elements);
}

}  // namespace clcuda::compiler::spirv
