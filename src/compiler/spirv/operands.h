// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace llvm {
class Value;
}

namespace clcuda::compiler::spirv {

class FunctionReader;
class Instruction;

// The value of an id, a scalar or vector of that kind; throws ProgramError for others.
llvm::Value* integer(FunctionReader& reader, std::uint32_t id);
llvm::Value* floating(FunctionReader& reader, std::uint32_t id);
llvm::Value* boolean(FunctionReader& reader, std::uint32_t id);

// The first two operands of an instruction, which must have one type, of that kind.
struct Operands {
  llvm::Value *left, *right;
};
Operands integers(FunctionReader& reader, const Instruction& instruction);
Operands floats(FunctionReader& reader, const Instruction& instruction);
Operands booleans(FunctionReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
