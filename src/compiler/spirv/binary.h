// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/spirv/instruction.h"

namespace clcuda::compiler::spirv {

// A SPIR-V module as words in this machine's byte order, with its header taken apart.
struct Binary {
  std::uint32_t version = 0;
  std::uint32_t bound = 0;  // all ids are less
  bool byte_swapped = false;
  std::vector<std::uint32_t> words;  // the header's five first
};

// Checks the header and that the instructions fill the module. Nothing, with the reason in `problem`, if the bytes are no SPIR-V module of
// version 1.0 to 1.6.
std::optional<Binary> open_binary(std::string_view bytes, std::string& problem);

// Calls `act` for each instruction in order. The Instruction refers to `binary`. To a ProgramError that `act` throws it adds the number and
// name of the instruction:
//
//   error: SPIR-V instruction 12, OpFNegate: its operand is no floating-point value
void for_each_instruction(const Binary& binary, const std::function<void(const Instruction&)>& act);

// Calls `act` and adds the number and name of `instruction` to a ProgramError that it throws.
void at_instruction(const Instruction& instruction, const std::function<void()>& act);

}  // namespace clcuda::compiler::spirv
