// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/enumerants.h"

namespace clcuda::compiler::spirv {

class FunctionReader;

// What an access can be ordered with: a load releases nothing, a store acquires nothing.
enum class AccessKind : std::uint8_t { load, store, both };

// SPIR-V's memory scope and semantics, ids of constants or of any other values, as OpenCL C's memory_scope,
// memory_order and cl_mem_fence_flags.
BuiltinArgument memory_scope(FunctionReader& reader, std::uint32_t id);
BuiltinArgument memory_order(FunctionReader& reader, std::uint32_t semantics, AccessKind kind);
BuiltinArgument fence_flags(FunctionReader& reader, std::uint32_t semantics);

// An execution scope. Refuses one that is not known, or neither a work-group nor a sub-group.
Scope group_scope(FunctionReader& reader, std::uint32_t id);
void require_sub_group(FunctionReader& reader, std::uint32_t scope);

}  // namespace clcuda::compiler::spirv
