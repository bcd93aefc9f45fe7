// SPDX-License-Identifier: Apache-2.0
#pragma once

// Instructions outside of functions, a function for each kind and a file for each function: they say whether
// an instruction was one of theirs. A new kind is declared here and gets its line in the table of
// module_reader.cpp.
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

// Makes the function of LLVM for one whose parameters are known.
void declare_function(ModuleReader& reader, FunctionText& text);
// Makes kernels of the functions that are entry points, with all that describes them.
void make_kernels(ModuleReader& reader);

}  // namespace clcuda::compiler::spirv
