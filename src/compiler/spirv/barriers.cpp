// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/memory_model.h"

namespace clcuda::compiler::spirv {
namespace {

// The memory semantics for the storage class of an address.
llvm::Value* semantics_of(llvm::IRBuilderBase& builder, llvm::Value* pointer) {
  constexpr std::uint32_t kLocalFence = 1;
  llvm::Value* fence = call_builtin(builder, "get_fence", builder.getInt32Ty(),
                                    {{pointer_to_constant(kVoidType, pointer_space(pointer)), pointer}});
  return builder.CreateSelect(builder.CreateICmpEQ(fence, builder.getInt32(kLocalFence)),
                              builder.getInt32(MemorySemanticsMask::WorkgroupMemory),
                              builder.getInt32(MemorySemanticsMask::CrossWorkgroupMemory));
}

}  // namespace

bool read_barrier(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  switch (in.op()) {
    case Op::ControlBarrier: {
      const bool is_work_group = group_scope(reader, in[0]) == Scope::Workgroup;
      call_builtin(builder, is_work_group ? "work_group_barrier" : "sub_group_barrier", builder.getVoidTy(),
                   {fence_flags(reader, in[2]), memory_scope(reader, in[1])});
      return true;
    }
    case Op::MemoryBarrier:
      call_builtin(builder, "atomic_work_item_fence", builder.getVoidTy(),
                   {fence_flags(reader, in[1]), memory_order(reader, in[1], AccessKind::both),
                    memory_scope(reader, in[0])});
      return true;
    case Op::GenericPtrMemSemantics:
      reader.define(in, semantics_of(builder, reader.value(in[0])));
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
