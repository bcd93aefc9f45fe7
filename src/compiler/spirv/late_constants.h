// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "compiler/spirv/enumerants.h"
#include "compiler/spirv/instruction.h"

namespace clcuda::compiler::spirv {

// Sets aside the constants and variables that are made of pointers to functions, which stand further down in the module
// (SPV_INTEL_function_pointers). Types never depend on them.
//
//   %f_pointer = OpConstantFunctionPointerINTEL %pointer %f     is set aside
//   %table = OpConstantComposite %array %f_pointer %g_pointer   and so is what uses it
class LateConstants {
 public:
  // True if the instruction is to be read after all functions have been declared.
  bool take(const Instruction& instruction);
  const std::vector<Instruction>& instructions() const { return instructions_; }

 private:
  std::vector<Instruction> instructions_;
  std::unordered_set<std::uint32_t> results_;
};

// Those of the operands that are ids, not literals, of an instruction that makes constants.
std::span<const std::uint32_t> constants_used(Op op, std::span<const std::uint32_t> operands);

}  // namespace clcuda::compiler::spirv
