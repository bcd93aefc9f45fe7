// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/type.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

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

// Whether the type is, or contains, a pointer whose null value is not zero.
bool has_local_pointers(const llvm::Type* type) {
  if (type->isPointerTy()) return type->getPointerAddressSpace() == kLocalSpace;
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return has_local_pointers(array->getElementType());
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure && llvm::any_of(structure->elements(), has_local_pointers);
}

}  // namespace

llvm::Constant* null_of(llvm::Type* type) {
  if (!has_local_pointers(type)) return llvm::Constant::getNullValue(type);
  if (type->isPointerTy())
    return llvm::ConstantExpr::getAddrSpaceCast(
        llvm::ConstantPointerNull::get(llvm::PointerType::get(type->getContext(), 0)), type);
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    constexpr std::uint64_t kMostElements = 1 << 16;
    require(array->getNumElements() <= kMostElements, "it has too many null pointers");
    const std::vector<llvm::Constant*> elements(array->getNumElements(), null_of(array->getElementType()));
    return llvm::ConstantArray::get(array, elements);
  }
  auto* structure = llvm::cast<llvm::StructType>(type);
  std::vector<llvm::Constant*> members;
  for (llvm::Type* member : structure->elements()) members.push_back(null_of(member));
  return llvm::ConstantStruct::get(structure, members);
}

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
