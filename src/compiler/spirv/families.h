// SPDX-License-Identifier: Apache-2.0
#pragma once

// The readers of instructions within functions, by families: a function for each, in a file of its own. It reads the instruction and
// returns true, or returns false if it is not of its family; function_reader.h shows how. A new family is declared here and added to the
// table in families.cpp.
namespace clcuda::compiler::spirv {

class FunctionReader;
class Instruction;

bool read_control_flow(FunctionReader& reader, const Instruction& instruction);
bool read_call(FunctionReader& reader, const Instruction& instruction);
bool read_memory(FunctionReader& reader, const Instruction& instruction);
bool read_pointer(FunctionReader& reader, const Instruction& instruction);
bool read_arithmetic(FunctionReader& reader, const Instruction& instruction);
bool read_extended_arithmetic(FunctionReader& reader, const Instruction& instruction);
bool read_bits(FunctionReader& reader, const Instruction& instruction);
bool read_comparison(FunctionReader& reader, const Instruction& instruction);
bool read_logic(FunctionReader& reader, const Instruction& instruction);
bool read_conversion(FunctionReader& reader, const Instruction& instruction);
bool read_composite(FunctionReader& reader, const Instruction& instruction);
bool read_hint(FunctionReader& reader, const Instruction& instruction);

// Families that become calls of the OpenCL C library:
bool read_atomic(FunctionReader& reader, const Instruction& instruction);
bool read_barrier(FunctionReader& reader, const Instruction& instruction);
bool read_group(FunctionReader& reader, const Instruction& instruction);
bool read_non_uniform_group(FunctionReader& reader, const Instruction& instruction);
bool read_intel_sub_group(FunctionReader& reader, const Instruction& instruction);
bool read_async_copy(FunctionReader& reader, const Instruction& instruction);
bool read_image(FunctionReader& reader, const Instruction& instruction);
bool read_image_query(FunctionReader& reader, const Instruction& instruction);
bool read_pipe(FunctionReader& reader, const Instruction& instruction);
bool read_device_enqueue(FunctionReader& reader, const Instruction& instruction);
bool read_dot_product(FunctionReader& reader, const Instruction& instruction);
bool read_kernel_clock(FunctionReader& reader, const Instruction& instruction);
bool read_extended_instruction(FunctionReader& reader, const Instruction& instruction);

// Offers the instruction to one family after another. Throws ProgramError if none takes it.
void read_instruction(FunctionReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
