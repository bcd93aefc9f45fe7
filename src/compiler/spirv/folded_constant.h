// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Constant;
}

namespace clcuda::compiler::spirv {

class Instruction;
class ModuleReader;

// The value of OpSpecConstantOp: the result of the instruction that it names, applied to its constant operands. Null if LLVM has no
// constant for it, such as the product of an address and a number: it is left to the functions then (ModuleReader::postpone()). Throws
// ProgramError if constants cannot be made by that instruction.
llvm::Constant* fold(ModuleReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
