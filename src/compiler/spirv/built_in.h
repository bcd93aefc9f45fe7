// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::compiler::spirv {

class FunctionReader;
class Instruction;

// A load of a built-in variable, or of a component: the functions of OpenCL C that tell what it holds. False
// for other loads.
bool read_built_in(FunctionReader& reader, const Instruction& load);

// A pointer that is made of one to a built-in variable. False for other pointers.
bool derive_built_in(FunctionReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
