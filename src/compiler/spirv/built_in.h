// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::compiler::spirv {

class FunctionReader;
class Instruction;

// For a load of a built-in variable (BuiltIn GlobalInvocationId …) or of one of its components: calls the functions of OpenCL C that
// return the value. False for other loads.
//
//   %id = OpLoad %v3ulong %gl_GlobalInvocationID    →  get_global_id(0), get_global_id(1), get_global_id(2)
bool read_built_in(FunctionReader& reader, const Instruction& load);

// For OpVectorExtractDynamic of such a load: calls the function with the index. SPIR-V leaves a component beyond the third undefined, but
// producers make this instruction of calls of these functions, which have a value for each dimension (section 6.15.1 of OpenCL C). False
// for other vectors.
//
//   %size = OpVectorExtractDynamic %ulong %loaded_gl_GlobalSize %dimension    →  get_global_size(dimension)
bool extract_built_in(FunctionReader& reader, const Instruction& extract);

// For an access chain, copy or cast of a pointer to a built-in variable: remembers which variable, and which component, the result points
// to. False for other pointers, and for what makes a pointer to something else of it, which is one into a private copy
// (FunctionReader::address).
bool derive_built_in(FunctionReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
