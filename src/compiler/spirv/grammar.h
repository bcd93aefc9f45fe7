// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "compiler/spirv/enumerants.h"

// SPIR-V's machine-readable grammars, as tables that the build makes of them (generate_grammar.py).
// enumerants.h, from the same source, has the enumerations: Op::Load, Decoration::Alignment,
// MemoryAccessMask::Aligned, OpenClStd::fma.
namespace clcuda::compiler::spirv {

// Whether an instruction has the first two operands that the grammar knows: the result's type and the result's id.
struct Shape {
  const char* name;  // "OpLoad"; null: no such instruction
  bool has_type;
  bool has_result;
};
Shape shape_of(Op op);

// "OpLoad"; a number for values that the grammar lacks.
std::string name_of(Op op);
std::string name_of(Capability capability);
std::string name_of(Decoration decoration);
std::string name_of(ExecutionMode mode);
std::string name_of(StorageClass storage);
std::string name_of(BuiltIn variable);
std::string name_of(OpenClStd instruction);

// Throws ProgramError if the operands behind the result's type and id are not those of the instruction: too few, too many, or an enumerant
// that does not exist.
void check_operands(Op op, std::span<const std::uint32_t> operands);

}  // namespace clcuda::compiler::spirv
