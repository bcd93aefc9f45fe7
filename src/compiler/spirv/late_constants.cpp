// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/late_constants.h"

#include <algorithm>
#include <span>

namespace clcuda::compiler::spirv {
namespace {

// The operands that may be such constants, of instructions that may use them.
std::span<const std::uint32_t> constants_in(const Instruction& instruction) {
  switch (instruction.op()) {
    case Op::ConstantComposite:
    case Op::SpecConstantComposite:
      return instruction.operands();
    case Op::SpecConstantOp:
      return constants_used(static_cast<Op>(instruction[0]), instruction.operands_from(1));
    case Op::Variable:
    case Op::UntypedVariableKHR:
      return instruction.operands_from(1);
    default:
      return {};
  }
}

}  // namespace

std::span<const std::uint32_t> constants_used(Op op, std::span<const std::uint32_t> operands) {
  switch (op) {
    case Op::CompositeExtract:
      return operands.first(std::min<std::size_t>(1, operands.size()));
    case Op::CompositeInsert:
    case Op::VectorShuffle:
      return operands.first(std::min<std::size_t>(2, operands.size()));
    default:
      return operands;
  }
}

bool LateConstants::take(const Instruction& instruction) {
  const bool is_late =
      instruction.op() == Op::ConstantFunctionPointerINTEL ||
      std::ranges::any_of(constants_in(instruction), [&](std::uint32_t id) { return results_.contains(id); });
  if (!is_late) return false;
  results_.insert(instruction.result());
  instructions_.push_back(instruction);
  return true;
}

}  // namespace clcuda::compiler::spirv
