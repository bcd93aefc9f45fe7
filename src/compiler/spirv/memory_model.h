// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/enumerants.h"

namespace clcuda::compiler::spirv {

class FunctionReader;

// Which orders an access can have: a load cannot release, a store cannot acquire.
enum class AccessKind : std::uint8_t { load, store, both };

// SPIR-V's memory scope and semantics, given as ids of constants or other values, as OpenCL C's memory_scope, memory_order and
// cl_mem_fence_flags.
BuiltinArgument memory_scope(FunctionReader& reader, std::uint32_t id);
BuiltinArgument memory_order(FunctionReader& reader, std::uint32_t semantics, AccessKind kind);
BuiltinArgument fence_flags(FunctionReader& reader, std::uint32_t semantics);

// The scope of a group operation. Throws ProgramError unless it is a constant, and a work-group or a sub-group.
Scope group_scope(FunctionReader& reader, std::uint32_t id);
void require_sub_group(FunctionReader& reader, std::uint32_t scope);

}  // namespace clcuda::compiler::spirv
