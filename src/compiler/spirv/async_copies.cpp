// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/memory_access.h"
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

// OpUntypedGroupAsyncCopyKHR. Its sizes are in bytes. The stride is that of the elements in global memory; those in local memory lie one
// behind the other.
struct UntypedCopy {
  llvm::Value *to, *from;
  std::uint64_t size, stride;
  llvm::Value* count;
  llvm::Align alignment;  // of both addresses
};

UntypedCopy describe_untyped(FunctionReader& reader, const Instruction& in) {
  require_work_group(reader, in[0]);
  require(reader.type_of(in[6]).is(TypeKind::event), "its last operand is not an event");
  const auto size = reader.integer(in[3]), stride = reader.integer(in[5]);
  require(size && stride && *size != 0, "its size or its stride is no constant, or its size is 0");
  std::size_t at = 7;
  const MemoryAccess target = MemoryAccess::read(in, at), source = MemoryAccess::read(in, at);
  llvm::Value* count = to_integer(reader.builder(), reader.value(in[4]), 64);
  return {reader.value(in[1]),
          reader.value(in[2]),
          *size,
          *stride,
          count,
          std::min(target.alignment.valueOrOne(), source.alignment.valueOrOne())};
}

// for (i = 0; i < count; ++i) act(i);
void repeat(FunctionReader& reader, llvm::Value* count, llvm::function_ref<void(llvm::Value*)> act) {
  llvm::IRBuilderBase& builder = reader.builder();
  const auto block = [&] { return llvm::BasicBlock::Create(reader.context(), "", &reader.function()); };
  llvm::BasicBlock *before = builder.GetInsertBlock(), *head = block(), *turn = block(), *after = block();
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  llvm::PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2);
  index->addIncoming(builder.getInt64(0), before);
  builder.CreateCondBr(builder.CreateICmpULT(index, count), turn, after);
  builder.SetInsertPoint(turn);
  act(index);
  index->addIncoming(builder.CreateAdd(index, builder.getInt64(1)), builder.GetInsertBlock());
  builder.CreateBr(head);
  builder.SetInsertPoint(after);
}

// Copies in the largest units of 1 to 8 bytes that divide an element and the distance to the next, and are aligned.
bool copy_untyped(FunctionReader& reader, const Instruction& in) {
  const UntypedCopy copy = describe_untyped(reader, in);
  llvm::IRBuilderBase& builder = reader.builder();
  const std::uint64_t unit = std::uint64_t{1}
                             << std::countr_zero(copy.size | copy.stride | copy.alignment.value() | 8);
  const BuiltinType element = integer(static_cast<unsigned>(unit) * 8, Sign::with);
  const unsigned to_space = pointer_space(copy.to), from_space = pointer_space(copy.from);
  const BuiltinArgument event{kEventType, reader.value(in[6])};
  const auto start = [&](const char* name, llvm::Value* to, llvm::Value* from,
                         std::initializer_list<BuiltinArgument> sizes) {
    std::vector<BuiltinArgument> arguments = {{pointer_to(element, to_space), to},
                                              {pointer_to_constant(element, from_space), from}};
    arguments.insert(arguments.end(), sizes);
    arguments.push_back(event);
    return call_builtin(builder, name, builder.getPtrTy(), arguments);
  };
  const BuiltinArgument units{kSizeType, builder.getInt64(copy.size / unit)};
  if (copy.size == copy.stride) {
    const BuiltinArgument all{kSizeType, builder.CreateMul(copy.count, units.value)};
    reader.define(in, start("async_work_group_copy", copy.to, copy.from, {all}));
  } else if (copy.size == unit) {
    const BuiltinArgument stride{kSizeType, builder.getInt64(copy.stride / unit)};
    reader.define(
        in, start("async_work_group_strided_copy", copy.to, copy.from, {{kSizeType, copy.count}, stride}));
  } else {
    const auto place = [&](llvm::Value* base, unsigned space, llvm::Value* index) {
      const std::uint64_t distance = space == kLocalSpace ? copy.size : copy.stride;
      return builder.CreatePtrAdd(base, builder.CreateMul(index, builder.getInt64(distance)));
    };
    llvm::Value* none = llvm::Constant::getNullValue(builder.getInt64Ty());
    reader.define(in, start("async_work_group_copy", copy.to, copy.from, {{kSizeType, none}}));
    repeat(reader, copy.count, [&](llvm::Value* index) {
      start("async_work_group_copy", place(copy.to, to_space, index), place(copy.from, from_space, index),
            {units});
    });
  }
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
    case Op::UntypedGroupAsyncCopyKHR:
      return copy_untyped(reader, in);
    case Op::GroupWaitEvents:
      return wait(reader, in);
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
