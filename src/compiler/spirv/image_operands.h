// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/instruction.h"

namespace clcuda::compiler::spirv {

class FunctionReader;

// The optional operands of an image access.
struct ImageOperands {
  llvm::Value* level = nullptr;  // null: the first, also if the module names it
  llvm::Value *gradient_x = nullptr, *gradient_y = nullptr;
  std::optional<Sign> sign;  // of integers; not known before SPIR-V 1.4
};

// Reads them from the operand `index` on, which is the mask, if the instruction has that many operands. Throws ProgramError for operands
// that are not supported.
ImageOperands image_operands(FunctionReader& reader, const Instruction& in, std::size_t index);

}  // namespace clcuda::compiler::spirv
