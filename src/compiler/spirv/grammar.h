// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "compiler/spirv/enumerants.h"

// What SPIR-V's machine-readable grammars say, as tables that the build makes of them (generate_grammar.py).
// enumerants.h, from the same source, has the enumerations: Op::Load, Decoration::Alignment,
// MemoryAccessMask::Aligned, OpenClStd::fma.
namespace clcuda::compiler::spirv {

// Which of its first two operands an instruction has.
struct Shape {
  const char* name;  // "OpLoad"; null: no such instruction
  bool has_type;
  bool has_result;
};
Shape shape_of(Op op);

// "OpLoad"; for what the grammar lacks its number.
std::string name_of(Op op);
std::string name_of(Capability capability);
std::string name_of(Decoration decoration);
std::string name_of(ExecutionMode mode);
std::string name_of(StorageClass storage);
std::string name_of(BuiltIn variable);
std::string name_of(OpenClStd instruction);

// Refuses operands, those behind the result's type and id, that are not the instruction's: too few, too many,
// an enumerant that there is not.
void check_operands(Op op, std::span<const std::uint32_t> operands);

}  // namespace clcuda::compiler::spirv
