// SPDX-License-Identifier: Apache-2.0
#pragma once

// The families of instructions within functions. Each is a function in a file of its own, which says whether
// an instruction was one of its own; a new one is declared here and gets its line in the table of
// families.cpp. What no family takes is refused by its name.
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

// What becomes of calls of the OpenCL C library.
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

// Goes through the families.
void read_instruction(FunctionReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
