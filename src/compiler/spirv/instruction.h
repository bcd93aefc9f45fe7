// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "compiler/spirv/enumerants.h"

namespace clcuda::compiler::spirv {

// One instruction of a module; refers to the module's words. Operands are counted behind the result's type and id:
//
//   OpLoad %float %7 %5 Aligned 4    type() is %float, result() %7, in[0] %5, in[1] Aligned, in[2] 4
//
// An access beyond the last operand throws ProgramError.
class Instruction {
 public:
  // `words` begins with the word of length and opcode.
  Instruction(std::uint32_t number, std::span<const std::uint32_t> words);

  Op op() const { return op_; }
  std::uint32_t number() const { return number_; }  // in the module, from 1
  std::uint32_t type() const { return type_; }      // the id of the result's type; 0: it has none
  std::uint32_t result() const { return result_; }  // its id; 0: it has none

  std::size_t size() const { return operands_.size(); }
  std::uint32_t operator[](std::size_t index) const;
  std::span<const std::uint32_t> operands() const { return operands_; }
  std::span<const std::uint32_t> operands_from(std::size_t index) const;
  // The literal string that begins at operand `index`, which is moved behind it.
  std::string text(std::size_t& index) const;
  std::string text_at(std::size_t index) const { return text(index); }

 private:
  std::uint32_t number_;
  Op op_;
  std::uint32_t type_ = 0, result_ = 0;
  std::span<const std::uint32_t> operands_;
};

}  // namespace clcuda::compiler::spirv
