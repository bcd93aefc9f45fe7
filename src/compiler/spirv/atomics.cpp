// SPDX-License-Identifier: Apache-2.0
// Atomic instructions, as calls of OpenCL C's functions with an explicit order and scope.
#include <string_view>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/memory_model.h"

namespace clcuda::compiler::spirv {
namespace {

// The atomic object to which the pointer points: a number, or the flag.
BuiltinArgument object(FunctionReader& reader, std::uint32_t id, const BuiltinType& type) {
  llvm::Value* pointer = reader.value(id);
  return {pointer_to_atomic(type, pointer_space(pointer)), pointer};
}

BuiltinType scalar_type(llvm::Type* type, Sign sign = Sign::with) {
  require(type->isIntegerTy() || type->isFloatingPointTy(), "it is not about a number");
  return number_type(type, sign);
}

llvm::Value* read_modify_write(FunctionReader& reader, const Instruction& in, std::string_view function,
                               llvm::Value* operand, Sign sign = Sign::with) {
  const BuiltinType type = scalar_type(operand->getType(), sign);
  return call_builtin(reader.builder(), function, operand->getType(),
                      {object(reader, in[0], type),
                       {type, operand},
                       memory_order(reader, in[2], AccessKind::both),
                       memory_scope(reader, in[1])});
}

bool change(FunctionReader& reader, const Instruction& in, std::string_view function,
            Sign sign = Sign::with) {
  reader.define(in, read_modify_write(reader, in, function, reader.value(in[3]), sign));
  return true;
}

bool change_integer(FunctionReader& reader, const Instruction& in, std::string_view function,
                    Sign sign = Sign::with) {
  require(reader.type(in.type()).is(TypeKind::integer), "its result is not an integer");
  return change(reader, in, function, sign);
}

bool change_floating(FunctionReader& reader, const Instruction& in, std::string_view function) {
  require(reader.type(in.type()).is(TypeKind::floating), "its result is not a floating-point number");
  return change(reader, in, function);
}

bool step(FunctionReader& reader, const Instruction& in, std::string_view function) {
  const Type& type = reader.type(in.type());
  require(type.is(TypeKind::integer), "its result is not an integer");
  reader.define(in, read_modify_write(reader, in, function, llvm::ConstantInt::get(type.value, 1)));
  return true;
}

bool load(FunctionReader& reader, const Instruction& in) {
  llvm::Type* result = reader.type(in.type()).value;
  reader.define(in,
                call_builtin(reader.builder(), "atomic_load_explicit", result,
                             {object(reader, in[0], scalar_type(result)),
                              memory_order(reader, in[2], AccessKind::load), memory_scope(reader, in[1])}));
  return true;
}

bool store(FunctionReader& reader, const Instruction& in) {
  llvm::Value* value = reader.value(in[3]);
  const BuiltinType type = scalar_type(value->getType());
  call_builtin(reader.builder(), "atomic_store_explicit", reader.builder().getVoidTy(),
               {object(reader, in[0], type),
                {type, value},
                memory_order(reader, in[2], AccessKind::store),
                memory_scope(reader, in[1])});
  return true;
}

// If the values differ, OpenCL C's function stores the old value in place of the expected one.
bool compare_exchange(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value *value = reader.value(in[4]), *comparator = reader.value(in[5]);
  require(value->getType()->isIntegerTy(), "it is not about an integer");
  require(comparator->getType() == value->getType(), "its comparator is of another type");
  const BuiltinType type = scalar_type(value->getType());
  llvm::Value* expected = reader.allocate(value->getType(), llvm::Align(8));
  builder.CreateStore(comparator, expected);
  call_builtin(builder, "atomic_compare_exchange_strong_explicit", builder.getInt1Ty(),
               {object(reader, in[0], type),
                {pointer_to(type, pointer_space(expected)), expected},
                {type, value},
                memory_order(reader, in[2], AccessKind::both),
                memory_order(reader, in[3], AccessKind::load),
                memory_scope(reader, in[1])});
  reader.define(in, builder.CreateLoad(value->getType(), expected));
  return true;
}

bool test_flag(FunctionReader& reader, const Instruction& in) {
  reader.define(
      in, call_builtin(reader.builder(), "atomic_flag_test_and_set_explicit", reader.builder().getInt1Ty(),
                       {object(reader, in[0], kSignedInt), memory_order(reader, in[2], AccessKind::both),
                        memory_scope(reader, in[1])}));
  return true;
}

bool clear_flag(FunctionReader& reader, const Instruction& in) {
  call_builtin(reader.builder(), "atomic_flag_clear_explicit", reader.builder().getVoidTy(),
               {object(reader, in[0], kSignedInt), memory_order(reader, in[2], AccessKind::store),
                memory_scope(reader, in[1])});
  return true;
}

}  // namespace

bool read_atomic(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::AtomicLoad:
      return load(reader, in);
    case Op::AtomicStore:
      return store(reader, in);
    case Op::AtomicExchange:
      return change(reader, in, "atomic_exchange_explicit");
    case Op::AtomicCompareExchange:
    case Op::AtomicCompareExchangeWeak:
      return compare_exchange(reader, in);
    case Op::AtomicIIncrement:
      return step(reader, in, "atomic_fetch_add_explicit");
    case Op::AtomicIDecrement:
      return step(reader, in, "atomic_fetch_sub_explicit");
    case Op::AtomicIAdd:
      return change_integer(reader, in, "atomic_fetch_add_explicit");
    case Op::AtomicISub:
      return change_integer(reader, in, "atomic_fetch_sub_explicit");
    case Op::AtomicSMin:
      return change_integer(reader, in, "atomic_fetch_min_explicit");
    case Op::AtomicUMin:
      return change_integer(reader, in, "atomic_fetch_min_explicit", Sign::without);
    case Op::AtomicSMax:
      return change_integer(reader, in, "atomic_fetch_max_explicit");
    case Op::AtomicUMax:
      return change_integer(reader, in, "atomic_fetch_max_explicit", Sign::without);
    case Op::AtomicAnd:
      return change_integer(reader, in, "atomic_fetch_and_explicit");
    case Op::AtomicOr:
      return change_integer(reader, in, "atomic_fetch_or_explicit");
    case Op::AtomicXor:
      return change_integer(reader, in, "atomic_fetch_xor_explicit");
    case Op::AtomicFAddEXT:
      return change_floating(reader, in, "atomic_fetch_add_explicit");
    case Op::AtomicFMinEXT:
      return change_floating(reader, in, "atomic_fetch_min_explicit");
    case Op::AtomicFMaxEXT:
      return change_floating(reader, in, "atomic_fetch_max_explicit");
    case Op::AtomicFlagTestAndSet:
      return test_flag(reader, in);
    case Op::AtomicFlagClear:
      return clear_flag(reader, in);
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
