// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/instruction.h"

namespace clcuda::compiler::spirv {

class FunctionReader;

// What may stand behind the operands of an access to an image.
struct ImageOperands {
  llvm::Value* level = nullptr;  // null: the first, also where the module says so
  llvm::Value *gradient_x = nullptr, *gradient_y = nullptr;
  std::optional<Sign> sign;  // of integers; before SPIR-V 1.4 nobody says
};

// From `index` on, where the mask is if there is one.
ImageOperands image_operands(FunctionReader& reader, const Instruction& in, std::size_t index);

}  // namespace clcuda::compiler::spirv
