// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/syntax/type.h"

namespace clcuda::ptx {

enum class Modifier : std::uint8_t {
#define MODIFIER(identifier, text) identifier,
#include "ptx/syntax/modifiers.def"
#undef MODIFIER
  count
};

// One line of instructions.def, made ready for matching.
struct InstructionForm {
  struct Choice {
    std::optional<Modifier> modifier;  // or else a type
    Type type;
    std::string_view text;
  };
  struct Slot {
    std::vector<Choice> choices;
    bool optional = false;
  };
  struct OperandSlot {
    char kind;
    bool optional = false;
  };

  unsigned number;  // the line's position in instructions.def
  std::string_view opcode;
  std::vector<Slot> slots;
  std::vector<OperandSlot> operands;
};

// What matching `.a.b.u32` with a form's slots gave.
struct MatchedParts {
  std::bitset<static_cast<std::size_t>(Modifier::count)> modifiers;
  std::vector<Type> types;
};

// Every form of `opcode`, empty if there is no such opcode.
std::span<const InstructionForm* const> forms_of(std::string_view opcode);

std::optional<MatchedParts> match_parts(const InstructionForm& form, std::span<const std::string_view> parts);

}  // namespace clcuda::ptx
