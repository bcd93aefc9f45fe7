// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Constant;
}

namespace clcuda::compiler::spirv {

class Instruction;
class ModuleReader;

// OpSpecConstantOp: what the instruction that it names makes of its operands.
llvm::Constant* fold(ModuleReader& reader, const Instruction& instruction);

}  // namespace clcuda::compiler::spirv
