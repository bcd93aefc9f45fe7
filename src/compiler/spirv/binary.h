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

// A module's header, and its words in this machine's byte order.
struct Binary {
  std::uint32_t version = 0;
  std::uint32_t bound = 0;  // all ids are less
  bool byte_swapped = false;
  std::vector<std::uint32_t> words;  // the header's five first
};

// Nothing, and why, for bytes that are no SPIR-V module.
std::optional<Binary> open_binary(std::string_view bytes, std::string& problem);

// The instructions in their order. A refusal on the way gets the number and name of the instruction.
void for_each_instruction(const Binary& binary, const std::function<void(const Instruction&)>& act);

// Does something for an instruction, whose number and name a refusal gets.
void at_instruction(const Instruction& instruction, const std::function<void()>& act);

}  // namespace clcuda::compiler::spirv
