// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/memory_model.h"

namespace clcuda::compiler::spirv {
namespace {

void require_work_group(FunctionReader& reader, std::uint32_t scope) {
  require(group_scope(reader, scope) == Scope::Workgroup, "its execution scope is not a work-group");
}

BuiltinType element_type(const Type& pointer) {
  require(pointer.is(TypeKind::pointer) && pointer.element, "an operand is not a pointer to a known type");
  return number_type(pointer.element->memory, Sign::with);
}

bool copy(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  require_work_group(reader, in[0]);
  const BuiltinType element = element_type(reader.type_of(in[1]));
  require(reader.type_of(in[5]).is(TypeKind::event), "its last operand is not an event");
  llvm::Value *to = reader.value(in[1]), *from = reader.value(in[2]);
  std::vector<BuiltinArgument> arguments = {{pointer_to(element, pointer_space(to)), to},
                                            {pointer_to_constant(element, pointer_space(from)), from},
                                            {kSizeType, to_integer(builder, reader.value(in[3]), 64)}};
  const bool is_strided = reader.integer(in[4]) != 1U;
  if (is_strided) arguments.push_back({kSizeType, to_integer(builder, reader.value(in[4]), 64)});
  arguments.push_back({kEventType, reader.value(in[5])});
  reader.define(in,
                call_builtin(builder, is_strided ? "async_work_group_strided_copy" : "async_work_group_copy",
                             builder.getPtrTy(), arguments));
  return true;
}

bool wait(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  require_work_group(reader, in[0]);
  llvm::Value* events = reader.value(in[2]);
  if (pointer_space(events) != kLocalSpace) events = to_generic(builder, events);
  call_builtin(builder, "wait_group_events", builder.getVoidTy(),
               {{kSignedInt, to_integer(builder, reader.value(in[1]), 32)},
                {pointer_to(kEventType, pointer_space(events)), events}});
  return true;
}

}  // namespace

bool read_async_copy(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::GroupAsyncCopy:
      return copy(reader, in);
    case Op::GroupWaitEvents:
      return wait(reader, in);
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
