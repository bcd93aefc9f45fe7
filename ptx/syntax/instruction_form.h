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

// The modifiers of instructions, from modifiers.def: .sat, .rn, .global …
enum class Modifier : std::uint8_t {
#define MODIFIER(identifier, text) identifier,
#include "ptx/syntax/modifiers.def"
#undef MODIFIER
  count
};

// One line of instructions.def, parsed:
//
//   FORM(integer_mul, "mul", "lo|hi|wide u16|s16|…", "d,s,s")    opcode "mul", two slots of modifiers, three of operands
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

// The modifiers and types of an instruction, as a form's slots have matched them: of mul.lo.u32, Modifier::lo and u32.
struct MatchedParts {
  std::bitset<static_cast<std::size_t>(Modifier::count)> modifiers;
  std::vector<Type> types;
};

// The forms of an opcode, in the order of instructions.def; empty if there is no such opcode.
std::span<const InstructionForm* const> forms_of(std::string_view opcode);

std::optional<MatchedParts> match_parts(const InstructionForm& form, std::span<const std::string_view> parts);

}  // namespace clcuda::ptx
