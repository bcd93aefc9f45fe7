// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/instruction.h"

#include "compiler/spirv/grammar.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {

Instruction::Instruction(std::uint32_t number, std::span<const std::uint32_t> words)
    : number_(number), op_(static_cast<Op>(words[0] & 0xffff)), operands_(words.subspan(1)) {
  const Shape shape = shape_of(op_);
  const auto take = [this] {
    const std::uint32_t word = (*this)[0];
    operands_ = operands_.subspan(1);
    return word;
  };
  if (shape.has_type) type_ = take();
  if (shape.has_result) result_ = take();
}

std::uint32_t Instruction::operator[](std::size_t index) const {
  require(index < operands_.size(), "an operand is missing");
  return operands_[index];
}

std::span<const std::uint32_t> Instruction::operands_from(std::size_t index) const {
  require(index <= operands_.size(), "an operand is missing");
  return operands_.subspan(index);
}

std::string Instruction::text(std::size_t& index) const {
  std::string text;
  while (true) {
    const std::uint32_t word = (*this)[index++];
    for (int byte = 0; byte < 4; ++byte) {
      const char c = static_cast<char>(word >> (8 * byte));
      if (c == '\0') return text;
      text += c;
    }
  }
}

}  // namespace clcuda::compiler::spirv
