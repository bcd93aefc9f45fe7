// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/FMF.h>

#include <cstdint>

namespace clcuda::compiler::spirv {

class FunctionReader;
class Instruction;
class ModuleReader;

// The flags of a function's floating-point operations: those of the build options, and `contract` unless the module forbids it
// (ContractionOff).
llvm::FastMathFlags default_math_flags(ModuleReader& reader, std::uint32_t function);
// The flags of one operation: the function's, and those of the decoration FPFastMathMode.
llvm::FastMathFlags math_flags(FunctionReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
