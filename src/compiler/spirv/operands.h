// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace llvm {
class Value;
}

namespace clcuda::compiler::spirv {

class FunctionReader;
class Instruction;

// Operands of a kind, each a scalar or a vector; others are refused.
llvm::Value* integer(FunctionReader& reader, std::uint32_t id);
llvm::Value* floating(FunctionReader& reader, std::uint32_t id);
llvm::Value* boolean(FunctionReader& reader, std::uint32_t id);

// The first two operands of an instruction, of one type.
struct Operands {
  llvm::Value *left, *right;
};
Operands integers(FunctionReader& reader, const Instruction& instruction);
Operands floats(FunctionReader& reader, const Instruction& instruction);
Operands booleans(FunctionReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
