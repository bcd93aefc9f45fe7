// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

void assume(FunctionReader& reader, const Instruction& in) {
  llvm::Value* condition = reader.value(in[0]);
  require(condition->getType()->isIntegerTy(1), "its condition is not boolean");
  reader.builder().CreateAssumption(condition);
}

void expect(FunctionReader& reader, const Instruction& in) {
  llvm::Value* value = reader.value(in[0]);
  llvm::Value* expected = reader.value(in[1]);
  require(value->getType() == expected->getType() && value->getType()->isIntOrIntVectorTy(),
          "its operands are no integers of one type");
  // LLVM has the hint for scalars only.
  if (value->getType()->isIntegerTy())
    value = reader.builder().CreateBinaryIntrinsic(llvm::Intrinsic::expect, value, expected);
  reader.define(in, value);
}

// Whether the lifetime of `bytes` bytes, or if that is 0 of what the pointer points to, is that of the whole variable.
bool is_of_whole(FunctionReader& reader, const llvm::AllocaInst& variable, const Type& pointer,
                 std::uint32_t bytes) {
  const llvm::DataLayout& layout = reader.module().module().getDataLayout();
  const std::uint64_t size = layout.getTypeAllocSize(variable.getAllocatedType());
  if (bytes != 0) return bytes >= size;
  const Type* pointee = pointer.element;
  if (!pointee) return true;
  return pointee->memory && pointee->memory->isSized() && layout.getTypeAllocSize(pointee->memory) >= size;
}

// LLVM has lifetimes of whole variables only, not of their members or first bytes.
void note_lifetime(FunctionReader& reader, const Instruction& in) {
  llvm::Value* pointer = reader.value(in[0]);
  require(pointer->getType()->isPointerTy(), "its operand is no pointer");
  auto* variable = llvm::dyn_cast<llvm::AllocaInst>(pointer);
  if (!variable || !is_of_whole(reader, *variable, reader.type_of(in[0]), in[1])) return;
  if (in.op() == Op::LifetimeStart) {
    reader.builder().CreateLifetimeStart(variable);
  } else {
    reader.builder().CreateLifetimeEnd(variable);
  }
}

void make_undefined(FunctionReader& reader, const Instruction& in) {
  const Type& type = reader.type(in.type());
  require(type.value->isFirstClassType() && type.value->isSized(), "there are no values of its type");
  reader.define(in, llvm::UndefValue::get(type.value));
}

}  // namespace

bool read_hint(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::Nop:
      return true;
    case Op::Line:
      reader.module().lines().set(reader.module().string(in[0]), in[1], in[2]);
      return true;
    case Op::NoLine:
      reader.module().lines().clear();
      return true;
    case Op::Undef:
      make_undefined(reader, in);
      return true;
    case Op::AssumeTrueKHR:
      assume(reader, in);
      return true;
    case Op::ExpectKHR:
      expect(reader, in);
      return true;
    case Op::LifetimeStart:
    case Op::LifetimeStop:
      note_lifetime(reader, in);
      return true;
    case Op::ExtInst:
    case Op::ExtInstWithForwardRefsKHR:
      return reader.module().extended_set(in[0]) == ExtendedSet::ignored;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
