// SPDX-License-Identifier: Apache-2.0
// Device-side enqueue (OpenCL C 6.15.18): ranges, events, queues, and kernels made from functions.
#include <string>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/block_kernels.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/group_values.h"

namespace clcuda::compiler::spirv {
namespace {

// OpenCL C's ndrange_t: the number of dimensions, then three numbers each for offset, global size and local size.
bool is_range(llvm::Type* type) {
  auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure || structure->isPacked() || structure->getNumElements() != 4) return false;
  if (!structure->getElementType(0)->isIntegerTy(32)) return false;
  auto* sizes = llvm::ArrayType::get(llvm::Type::getInt64Ty(type->getContext()), 3);
  return llvm::all_of(structure->elements().drop_front(),
                      [&](llvm::Type* member) { return member == sizes; });
}

// The address of a range, which the library takes. Most modules pass the address instead of the range.
BuiltinArgument range(FunctionReader& reader, std::uint32_t id) {
  llvm::IRBuilderBase& builder = reader.builder();
  const Type& type = reader.type_of(id);
  llvm::Value* value = reader.value(id);
  const BuiltinType by_address = pointer_to(kVoidType, kGenericSpace);
  if (type.is(TypeKind::pointer)) {
    require(!type.element || is_range(type.element->memory),
            "its range is not of the type that OpBuildNDRange makes");
    return {by_address, to_generic(builder, value)};
  }
  require(is_range(value->getType()), "its range is not of the type that OpBuildNDRange makes");
  llvm::Value* place = reader.allocate(value->getType(), llvm::Align(8));
  builder.CreateStore(value, place);
  return {by_address, place};
}

BuiltinArgument of_kind(FunctionReader& reader, std::uint32_t id, TypeKind kind, const BuiltinType& type) {
  require(reader.type_of(id).is(kind), "an operand is of a wrong type");
  return {type, reader.value(id)};
}
BuiltinArgument queue(FunctionReader& reader, std::uint32_t id) {
  return of_kind(reader, id, TypeKind::queue, kQueueType);
}
BuiltinArgument event(FunctionReader& reader, std::uint32_t id) {
  return of_kind(reader, id, TypeKind::device_event, kDeviceEventType);
}
BuiltinArgument number_of(FunctionReader& reader, std::uint32_t id) {
  return index(reader.builder(), reader.value(id));
}
llvm::Value* generic_pointer(FunctionReader& reader, std::uint32_t id) {
  return to_generic(reader.builder(), reader.value(id));
}

bool build_range(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Type* type = reader.type(in.type()).value;
  require(is_range(type), "its result is not a structure of a number and three arrays");
  llvm::Type* given = reader.value(in[0])->getType();
  const auto* array = llvm::dyn_cast<llvm::ArrayType>(given);
  require(given->isIntegerTy() || (array && array->getNumElements() >= 2 && array->getNumElements() <= 3 &&
                                   array->getElementType()->isIntegerTy()),
          "its global size is neither a number nor two or three");
  const unsigned dimensions = array ? static_cast<unsigned>(array->getNumElements()) : 1;
  llvm::Value* result = llvm::Constant::getNullValue(type);
  result = builder.CreateInsertValue(result, builder.getInt32(dimensions), 0);
  const auto set = [&](std::uint32_t id, unsigned member) {
    llvm::Value* value = reader.value(id);
    require(value->getType() == given, "its sizes and its offset are of different types");
    for (unsigned i = 0; i < dimensions; ++i) {
      llvm::Value* part = array ? builder.CreateExtractValue(value, i) : value;
      result = builder.CreateInsertValue(result, to_integer(builder, part, 64), {member, i});
    }
  };
  set(in[2], 1);
  set(in[0], 2);
  set(in[1], 3);
  reader.define(in, result);
  return true;
}

// A size of local memory. Most producers pass its address.
llvm::Value* local_size(FunctionReader& reader, std::uint32_t id) {
  llvm::IRBuilderBase& builder = reader.builder();
  const Type& type = reader.type_of(id);
  llvm::Value* value = reader.value(id);
  if (type.is(TypeKind::pointer)) {
    require(type.element && type.element->is(TypeKind::integer), "a size of local memory is not an integer");
    value = builder.CreateLoad(type.element->memory, value);
  }
  return to_integer(builder, value, 64);
}

BuiltinArgument local_sizes(FunctionReader& reader, std::span<const std::uint32_t> ids) {
  llvm::IRBuilderBase& builder = reader.builder();
  const BuiltinType type = pointer_to(kVoidType, kGenericSpace);
  if (ids.empty()) return {type, llvm::ConstantPointerNull::get(builder.getPtrTy())};
  auto* array = llvm::ArrayType::get(builder.getInt64Ty(), ids.size());
  llvm::Value* sizes = reader.allocate(array, llvm::Align(8));
  for (std::size_t i = 0; i < ids.size(); ++i)
    builder.CreateStore(local_size(reader, ids[i]), builder.CreateConstGEP2_64(array, sizes, 0, i));
  return {type, sizes};
}

bool enqueue_kernel(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  const BuiltinType pointer = pointer_to(kVoidType, kGenericSpace);
  const auto sizes = in.operands_from(10);
  const Block block = make_block(reader, {in[6], in[7], in[8], in[9]}, sizes.size());
  const std::vector<BuiltinArgument> arguments = {
      queue(reader, in[0]),
      {kSignedInt, to_integer(builder, reader.value(in[1]), 32)},
      range(reader, in[2]),
      number_of(reader, in[3]),
      {pointer, generic_pointer(reader, in[4])},
      {pointer, generic_pointer(reader, in[5])},
      {pointer, block.kernel},
      {pointer, block.literal},
      {kUnsignedInt, builder.getInt32(static_cast<std::uint32_t>(sizes.size()))},
      local_sizes(reader, sizes)};
  reader.define(
      in, call_plain_builtin(builder, "__enqueue_kernel_events_varargs", builder.getInt32Ty(), arguments));
  return true;
}

bool enqueue_marker(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  reader.define(
      in,
      call_builtin(builder, "enqueue_marker", builder.getInt32Ty(),
                   {queue(reader, in[0]),
                    number_of(reader, in[1]),
                    {pointer_to_constant(kDeviceEventType, kGenericSpace), generic_pointer(reader, in[2])},
                    {pointer_to(kDeviceEventType, kGenericSpace), generic_pointer(reader, in[3])}}));
  return true;
}

// Calls a query function about the kernel that a function would be enqueued as. The operands for that function begin at `index`; the range,
// if there is one, is operand 0.
llvm::Value* ask(FunctionReader& reader, const Instruction& in, std::size_t index, const char* function,
                 bool has_range = false) {
  llvm::IRBuilderBase& builder = reader.builder();
  const Block block =
      make_block(reader, {in[index], in[index + 1], in[index + 2], in[index + 3]}, std::nullopt);
  std::vector<BuiltinArgument> arguments;
  if (has_range) arguments.push_back(range(reader, in[0]));
  arguments.push_back({pointer_to(kVoidType, kGenericSpace), block.kernel});
  arguments.push_back({pointer_to(kVoidType, kGenericSpace), block.literal});
  return call_plain_builtin(builder, function, builder.getInt32Ty(), arguments);
}

bool read_kernel_query(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  constexpr char kWorkGroupSize[] = "__get_kernel_work_group_size_impl";
  constexpr std::uint32_t kSubGroupSize = 32;
  switch (in.op()) {
    case Op::GetKernelNDrangeSubGroupCount:
      reader.define(in, ask(reader, in, 1, "__get_kernel_sub_group_count_for_ndrange_impl", true));
      return true;
    case Op::GetKernelNDrangeMaxSubGroupSize:
      reader.define(in, ask(reader, in, 1, "__get_kernel_max_sub_group_size_for_ndrange_impl", true));
      return true;
    case Op::GetKernelWorkGroupSize:
      reader.define(in, ask(reader, in, 0, kWorkGroupSize));
      return true;
    case Op::GetKernelPreferredWorkGroupSizeMultiple:
      reader.define(in, ask(reader, in, 0, "__get_kernel_preferred_work_group_size_multiple_impl"));
      return true;
    case Op::GetKernelMaxNumSubgroups:
      reader.define(in,
                    builder.CreateUDiv(ask(reader, in, 0, kWorkGroupSize), builder.getInt32(kSubGroupSize)));
      return true;
    case Op::GetKernelLocalSizeForSubgroupCount: {
      llvm::Value* count = index(builder, reader.value(in[0])).value;
      llvm::Value* most =
          builder.CreateUDiv(ask(reader, in, 1, kWorkGroupSize), builder.getInt32(kSubGroupSize));
      llvm::Value* size = builder.CreateMul(count, builder.getInt32(kSubGroupSize));
      reader.define(in, builder.CreateSelect(builder.CreateICmpULE(count, most), size, builder.getInt32(0)));
      return true;
    }
    default:
      return false;
  }
}

bool read_event(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Type* nothing = builder.getVoidTy();
  switch (in.op()) {
    case Op::RetainEvent:
      call_builtin(builder, "retain_event", nothing, {event(reader, in[0])});
      return true;
    case Op::ReleaseEvent:
      call_builtin(builder, "release_event", nothing, {event(reader, in[0])});
      return true;
    case Op::CreateUserEvent:
      reader.define(in, call_builtin(builder, "create_user_event", builder.getPtrTy(), {}));
      return true;
    case Op::IsValidEvent:
      reader.define(in, call_builtin(builder, "is_valid_event", builder.getInt1Ty(), {event(reader, in[0])}));
      return true;
    case Op::SetUserEventStatus:
      call_builtin(builder, "set_user_event_status", nothing,
                   {event(reader, in[0]), {kSignedInt, to_integer(builder, reader.value(in[1]), 32)}});
      return true;
    case Op::CaptureEventProfilingInfo: {
      llvm::Value* place = reader.value(in[2]);
      call_builtin(builder, "capture_event_profiling_info", nothing,
                   {event(reader, in[0]),
                    {kSignedInt, to_integer(builder, reader.value(in[1]), 32)},
                    {pointer_to(kVoidType, pointer_space(place)), place}});
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

bool read_device_enqueue(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::BuildNDRange:
      return build_range(reader, in);
    case Op::EnqueueKernel:
      return enqueue_kernel(reader, in);
    case Op::EnqueueMarker:
      return enqueue_marker(reader, in);
    case Op::GetDefaultQueue:
      reader.define(in, call_builtin(reader.builder(), "get_default_queue", reader.builder().getPtrTy(), {}));
      return true;
    default:
      return read_event(reader, in) || read_kernel_query(reader, in);
  }
}

}  // namespace clcuda::compiler::spirv
