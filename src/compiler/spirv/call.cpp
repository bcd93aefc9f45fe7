// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {

bool read_call(FunctionReader& reader, const Instruction& in) {
  if (in.op() != Op::FunctionCall) return false;
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
  if (!call->getType()->isVoidTy()) {
    reader.define(in, call);
  } else {
    require(reader.type(in.type()).is(TypeKind::void_type), "the function gives nothing back");
  }
  return true;
}

}  // namespace clcuda::compiler::spirv
