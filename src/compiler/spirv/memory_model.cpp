// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/memory_model.h"

#include <array>
#include <utility>

#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

// Constants of opencl-c-base.h.
constexpr std::uint32_t kRelaxed = 0, kAcquire = 2, kRelease = 3, kAcquireRelease = 4, kSequential = 5;
constexpr std::uint32_t kScopeWorkItem = 0, kScopeWorkGroup = 1, kScopeDevice = 2, kScopeAllDevices = 3,
                        kScopeSubGroup = 4;
constexpr std::uint32_t kLocalFlag = 1, kGlobalFlag = 2, kImageFlag = 4;

llvm::Value* word(FunctionReader& reader, std::uint32_t id, const char* what) {
  llvm::Value* value = reader.value(id);
  if (!value->getType()->isIntegerTy(32)) refuse(std::string(what) + " is not an integer of 32 bits");
  return value;
}

llvm::Value* has_any(llvm::IRBuilderBase& builder, llvm::Value* bits, std::uint32_t mask) {
  return builder.CreateICmpNE(builder.CreateAnd(bits, builder.getInt32(mask)), builder.getInt32(0));
}

// Folded by the builder if the operand is a constant, as it almost always is.
llvm::Value* choose(llvm::IRBuilderBase& builder, llvm::Value* condition, std::uint32_t value,
                    llvm::Value* otherwise) {
  return builder.CreateSelect(condition, builder.getInt32(value), otherwise);
}

}  // namespace

BuiltinArgument memory_scope(FunctionReader& reader, std::uint32_t id) {
  constexpr std::array kScopes = {
      std::pair{Scope::Device, kScopeDevice}, std::pair{Scope::Workgroup, kScopeWorkGroup},
      std::pair{Scope::Subgroup, kScopeSubGroup}, std::pair{Scope::Invocation, kScopeWorkItem}};
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value* value = word(reader, id, "the scope");
  // LLVM 22's SPIR-V back end writes the order of an atomic load as its scope. The highest order has this number, so scopes up to it are
  // accepted.
  constexpr auto kMost = static_cast<std::uint32_t>(Scope::QueueFamily);
  if (const auto known = reader.integer(id); known && *known > kMost)
    refuse("kernels have no such memory scope");
  llvm::Value* result = builder.getInt32(kScopeAllDevices);
  for (const auto& [scope, number] : kScopes)
    result = choose(builder, builder.CreateICmpEQ(value, builder.getInt32(static_cast<std::uint32_t>(scope))),
                    number, result);
  return {kMemoryScopeType, result};
}

BuiltinArgument memory_order(FunctionReader& reader, std::uint32_t semantics, AccessKind kind) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value* bits = word(reader, semantics, "the memory semantics");
  constexpr std::uint32_t kAcquires = MemorySemanticsMask::Acquire | MemorySemanticsMask::AcquireRelease,
                          kReleases = MemorySemanticsMask::Release | MemorySemanticsMask::AcquireRelease;
  llvm::Value* order = builder.getInt32(kRelaxed);
  if (kind == AccessKind::both) {
    order = choose(builder, has_any(builder, bits, kAcquires), kAcquire, order);
    llvm::Value* releasing =
        choose(builder, has_any(builder, bits, kAcquires), kAcquireRelease, builder.getInt32(kRelease));
    order = builder.CreateSelect(has_any(builder, bits, kReleases), releasing, order);
  } else {
    order = choose(builder, has_any(builder, bits, kAcquires | kReleases),
                   kind == AccessKind::load ? kAcquire : kRelease, order);
  }
  order = choose(builder, has_any(builder, bits, MemorySemanticsMask::SequentiallyConsistent), kSequential,
                 order);
  return {kMemoryOrderType, order};
}

BuiltinArgument fence_flags(FunctionReader& reader, std::uint32_t semantics) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value* bits = word(reader, semantics, "the memory semantics");
  llvm::Value* flags = builder.getInt32(0);
  const auto add = [&](std::uint32_t mask, std::uint32_t flag) {
    flags = builder.CreateOr(flags, choose(builder, has_any(builder, bits, mask), flag, builder.getInt32(0)));
  };
  add(MemorySemanticsMask::WorkgroupMemory, kLocalFlag);
  add(MemorySemanticsMask::CrossWorkgroupMemory, kGlobalFlag);
  add(MemorySemanticsMask::ImageMemory, kImageFlag);
  return {kUnsignedInt, flags};
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
