// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/DerivedTypes.h>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

void define_result(FunctionReader& reader, const Instruction& in, llvm::CallInst* call) {
  if (!call->getType()->isVoidTy()) {
    reader.define(in, call);
  } else {
    require(reader.type(in.type()).is(TypeKind::void_type), "the function gives nothing back");
  }
}

void call_function(FunctionReader& reader, const Instruction& in) {
  const FunctionText* text = reader.module().function(in[0]);
  require(text, "it calls what is no function");
  const auto arguments = in.operands_from(1);
  const auto& parameters = text->type->members;
  require(arguments.size() == parameters.size(), "the function takes another number of arguments");
  std::vector<llvm::Value*> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values.push_back(reader.value(arguments[i]));
    require(values.back()->getType() == parameters[i]->value,
            "an argument has another type than the parameter");
  }
  llvm::CallInst* call = reader.call(text->function, values);
  for (unsigned i = 0; i < values.size(); ++i)
    call->addParamAttrs(
        i, llvm::AttrBuilder(reader.context(), text->function->getAttributes().getParamAttrs(i)));
  define_result(reader, in, call);
}

// The type that the pointer states must be that of the call. (An untyped pointer states none.)
void check_pointee(const Type& pointer, const llvm::FunctionType* called) {
  require(pointer.is(TypeKind::pointer) && pointer.value->getPointerAddressSpace() == kGenericSpace,
          "it calls what is no pointer to a function");
  if (!pointer.element || !pointer.element->is(TypeKind::function)) return;
  require(pointer.element->value == called,
          "its arguments and result are not those of the function that it points to");
}

void call_pointer(FunctionReader& reader, const Instruction& in) {
  const Type& result = reader.type(in.type());
  require(result.value && !result.is(TypeKind::function), "a function cannot give that back");
  std::vector<llvm::Value*> values;
  std::vector<llvm::Type*> types;
  for (const std::uint32_t argument : in.operands_from(1)) {
    values.push_back(reader.value(argument));
    types.push_back(values.back()->getType());
  }
  llvm::FunctionType* type = llvm::FunctionType::get(result.value, types, false);
  check_pointee(reader.type_of(in[0]), type);
  llvm::CallInst* call = reader.call({type, reader.value(in[0])}, values);
  // As those of functions (declare_function.cpp).
  for (unsigned i = 0; i < types.size(); ++i)
    if (types[i]->isIntegerTy(1)) call->addParamAttr(i, llvm::Attribute::ZExt);
  if (result.is(TypeKind::boolean)) call->addRetAttr(llvm::Attribute::ZExt);
  define_result(reader, in, call);
}

}  // namespace

bool read_call(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::FunctionCall:
      call_function(reader, in);
      return true;
    case Op::FunctionPointerCallINTEL:
      call_pointer(reader, in);
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
