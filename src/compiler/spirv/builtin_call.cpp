// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/builtin_call.h"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/library_names.h"
#include "compiler/readable_name.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

void check(llvm::StringRef name, std::span<const BuiltinArgument> arguments) {
  for (const BuiltinArgument& argument : arguments) {
    if (argument.value->getType() != llvm_type(argument.type, argument.value->getContext()))
      refuse("an operand has not the type that " + readable_name(name) + " takes");
  }
  if (!is_library_name(name)) refuse("there is no function " + readable_name(name));
}

llvm::AttributeList attributes_of(llvm::LLVMContext& context, llvm::Type* result, Effects effects) {
  llvm::AttrBuilder function(context);
  function.addAttribute(llvm::Attribute::Convergent).addAttribute(llvm::Attribute::NoUnwind);
  if (effects != Effects::any) {
    function.addAttribute(llvm::Attribute::WillReturn);
    function.addMemoryAttr(effects == Effects::none ? llvm::MemoryEffects::none()
                                                    : llvm::MemoryEffects::readOnly());
  }
  llvm::AttributeList attributes = llvm::AttributeList().addFnAttributes(context, function);
  return result->isIntegerTy(1) ? attributes.addRetAttribute(context, llvm::Attribute::ZExt) : attributes;
}

llvm::CallInst* call(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type* result,
                     std::span<const BuiltinArgument> arguments, Effects effects) {
  check(name, arguments);
  std::vector<llvm::Type*> types;
  std::vector<llvm::Value*> values;
  for (const BuiltinArgument& argument : arguments) {
    types.push_back(argument.value->getType());
    values.push_back(argument.value);
  }
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  auto* type = llvm::FunctionType::get(result, types, false);
  const auto attributes = attributes_of(builder.getContext(), result, effects);
  llvm::Function& function = declare_builtin(module, name, type, attributes);
  llvm::CallInst* instruction = builder.CreateCall(type, &function, values);
  instruction->setAttributes(attributes);
  return instruction;
}

std::string name_of_call(std::string_view name, std::span<const BuiltinArgument> arguments) {
  std::vector<BuiltinType> types;
  for (const BuiltinArgument& argument : arguments) types.push_back(argument.type);
  return mangled(name, types);
}

}  // namespace

llvm::Function& declare_builtin(llvm::Module& module, llvm::StringRef name, llvm::FunctionType* type,
                                const llvm::AttributeList& attributes) {
  llvm::GlobalValue* known = module.getNamedValue(name);
  if (known && known->hasLocalLinkage()) {
    known->setName(name + ".internal");
    known = nullptr;
  }
  if (!known) {
    auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
    function->setAttributes(attributes);
    return *function;
  }
  auto* function = llvm::dyn_cast<llvm::Function>(known);
  if (!function || !function->isDeclaration() || function->getFunctionType() != type)
    refuse("the module has the name '" + name.str() + "' for something else");
  return *function;
}

llvm::CallInst* call_builtin(llvm::IRBuilderBase& builder, std::string_view name, llvm::Type* result,
                             std::span<const BuiltinArgument> arguments, Effects effects) {
  return call(builder, name_of_call(name, arguments), result, arguments, effects);
}

llvm::CallInst* call_plain_builtin(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type* result,
                                   std::span<const BuiltinArgument> arguments) {
  return call(builder, name, result, arguments, Effects::any);
}

bool has_builtin(std::string_view name, std::span<const BuiltinArgument> arguments) {
  return is_library_name(name_of_call(name, arguments));
}

BuiltinType number_type(llvm::Type* type, Sign sign) {
  const unsigned count = elements_of(type);
  llvm::Type* element = type->getScalarType();
  if (element->isHalfTy() || element->isFloatTy() || element->isDoubleTy())
    return floating_point(element->getScalarSizeInBits(), count);
  if (!element->isIntegerTy()) refuse("an operand is neither a number nor a vector of numbers");
  const unsigned bits = element->getIntegerBitWidth();
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    refuse("an operand is an integer of " + std::to_string(bits) + " bits");
  return integer(bits, sign, count);
}

unsigned elements_of(llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

llvm::Type* with_elements(llvm::Type* type, unsigned count) {
  llvm::Type* element = type->getScalarType();
  return count == 1 ? element : llvm::FixedVectorType::get(element, count);
}

llvm::Value* to_integer(llvm::IRBuilderBase& builder, llvm::Value* value, unsigned bits, Sign sign) {
  if (!value->getType()->isIntegerTy() || value->getType()->isIntegerTy(1))
    refuse("an operand is not an integer");
  return builder.CreateIntCast(value, builder.getIntNTy(bits), sign == Sign::with);
}

unsigned pointer_space(const llvm::Value* pointer) {
  if (!pointer->getType()->isPointerTy()) refuse("an operand is not a pointer");
  return pointer->getType()->getPointerAddressSpace();
}

llvm::Value* to_generic(llvm::IRBuilderBase& builder, llvm::Value* pointer) {
  if (pointer_space(pointer) == kGenericSpace) return pointer;
  return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy(kGenericSpace));
}

}  // namespace clcuda::compiler::spirv
