// SPDX-License-Identifier: Apache-2.0
#pragma once

// The readers of instructions outside of functions: a function for each kind, in a file of its own. It reads the instruction and returns
// true, or returns false if it is not of its kind. Throws ProgramError (refuse.h) for what is malformed or not supported. A new kind is
// declared here and added to the table in module_reader.cpp.
namespace clcuda::compiler::spirv {

class Instruction;
class ModuleReader;
struct FunctionText;

bool read_mode(ModuleReader& reader,
               const Instruction& instruction);  // capabilities, extensions, models, entry points
bool read_debug(ModuleReader& reader, const Instruction& instruction);  // names, strings, sources
bool read_type(ModuleReader& reader, const Instruction& instruction);   // OpType…
bool read_constant(ModuleReader& reader,
                   const Instruction& instruction);  // OpConstant…, OpSpecConstant…, OpUndef
bool read_global(ModuleReader& reader, const Instruction& instruction);  // OpVariable

// Aligns variables by AlignmentId, whose constant may be defined further down.
void align_variables(ModuleReader& reader);
// Makes the LLVM function of one whose parameters have been read.
void declare_function(ModuleReader& reader, FunctionText& text);
// Makes kernels of the functions that are entry points, with the metadata that Clang gives kernels (kernel_metadata.h).
void make_kernels(ModuleReader& reader);

}  // namespace clcuda::compiler::spirv
