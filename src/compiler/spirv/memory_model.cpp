// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/memory_model.h"

#include <array>
#include <utility>

#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

// As opencl-c-base.h has them.
constexpr std::uint32_t relaxed = 0, acquire = 2, release = 3, acquire_release = 4, sequential = 5;
constexpr std::uint32_t scope_work_item = 0, scope_work_group = 1, scope_device = 2, scope_all_devices = 3,
                        scope_sub_group = 4;
constexpr std::uint32_t local_flag = 1, global_flag = 2, image_flag = 4;

llvm::Value* word(FunctionReader& reader, std::uint32_t id, const char* what) {
  llvm::Value* value = reader.value(id);
  if (!value->getType()->isIntegerTy(32)) refuse(std::string(what) + " is not an integer of 32 bits");
  return value;
}

llvm::Value* has_any(llvm::IRBuilderBase& builder, llvm::Value* bits, std::uint32_t mask) {
  return builder.CreateICmpNE(builder.CreateAnd(bits, builder.getInt32(mask)), builder.getInt32(0));
}

// The builder folds all of it where the operand is a constant, as nearly everywhere.
llvm::Value* choose(llvm::IRBuilderBase& builder, llvm::Value* condition, std::uint32_t value,
                    llvm::Value* otherwise) {
  return builder.CreateSelect(condition, builder.getInt32(value), otherwise);
}

}  // namespace

BuiltinArgument memory_scope(FunctionReader& reader, std::uint32_t id) {
  constexpr std::array scopes = {
      std::pair{Scope::Device, scope_device}, std::pair{Scope::Workgroup, scope_work_group},
      std::pair{Scope::Subgroup, scope_sub_group}, std::pair{Scope::Invocation, scope_work_item}};
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value* value = word(reader, id, "the scope");
  // LLVM 22's SPIR-V back end writes the order of an atomic load where its scope belongs, the highest of which has this number.
  constexpr auto most = static_cast<std::uint32_t>(Scope::QueueFamily);
  if (const auto known = reader.integer(id); known && *known > most)
    refuse("kernels have no such memory scope");
  llvm::Value* result = builder.getInt32(scope_all_devices);
  for (const auto& [scope, number] : scopes)
    result = choose(builder, builder.CreateICmpEQ(value, builder.getInt32(static_cast<std::uint32_t>(scope))),
                    number, result);
  return {memory_scope_type, result};
}

BuiltinArgument memory_order(FunctionReader& reader, std::uint32_t semantics, AccessKind kind) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value* bits = word(reader, semantics, "the memory semantics");
  constexpr std::uint32_t acquires = MemorySemanticsMask::Acquire | MemorySemanticsMask::AcquireRelease,
                          releases = MemorySemanticsMask::Release | MemorySemanticsMask::AcquireRelease;
  llvm::Value* order = builder.getInt32(relaxed);
  if (kind == AccessKind::both) {
    order = choose(builder, has_any(builder, bits, acquires), acquire, order);
    llvm::Value* releasing =
        choose(builder, has_any(builder, bits, acquires), acquire_release, builder.getInt32(release));
    order = builder.CreateSelect(has_any(builder, bits, releases), releasing, order);
  } else {
    order = choose(builder, has_any(builder, bits, acquires | releases),
                   kind == AccessKind::load ? acquire : release, order);
  }
  order =
      choose(builder, has_any(builder, bits, MemorySemanticsMask::SequentiallyConsistent), sequential, order);
  return {memory_order_type, order};
}

BuiltinArgument fence_flags(FunctionReader& reader, std::uint32_t semantics) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value* bits = word(reader, semantics, "the memory semantics");
  llvm::Value* flags = builder.getInt32(0);
  const auto add = [&](std::uint32_t mask, std::uint32_t flag) {
    flags = builder.CreateOr(flags, choose(builder, has_any(builder, bits, mask), flag, builder.getInt32(0)));
  };
  add(MemorySemanticsMask::WorkgroupMemory, local_flag);
  add(MemorySemanticsMask::CrossWorkgroupMemory, global_flag);
  add(MemorySemanticsMask::ImageMemory, image_flag);
  return {unsigned_int, flags};
}

Scope group_scope(FunctionReader& reader, std::uint32_t id) {
  const auto scope = reader.integer(id);
  require(scope.has_value(), "its execution scope is not a constant");
  const auto known = static_cast<Scope>(*scope);
  require(known == Scope::Workgroup || known == Scope::Subgroup,
          "its execution scope is neither a work-group nor a sub-group");
  return known;
}

void require_sub_group(FunctionReader& reader, std::uint32_t scope) {
  require(group_scope(reader, scope) == Scope::Subgroup, "its execution scope is not a sub-group");
}

}  // namespace clcuda::compiler::spirv
