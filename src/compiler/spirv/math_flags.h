// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/FMF.h>

#include <cstdint>

namespace clcuda::compiler::spirv {

class FunctionReader;
class Instruction;
class ModuleReader;

// Of a function's floating-point operations: what the options of the build allow, and contraction unless the
// module forbids it.
llvm::FastMathFlags default_math_flags(ModuleReader& reader, std::uint32_t function);
// Of one operation: these, and what its decoration says.
llvm::FastMathFlags math_flags(FunctionReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
