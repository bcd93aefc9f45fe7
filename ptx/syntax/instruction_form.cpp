// SPDX-License-Identifier: Apache-2.0
#include "ptx/syntax/instruction_form.h"

#include <algorithm>
#include <map>

namespace clcuda::ptx {
namespace {

struct Line {
  std::string_view opcode, modifiers, operands;
};

constexpr Line kLines[] = {
#define FORM(handler, opcode, modifiers, operands) {opcode, modifiers, operands},
#include "ptx/syntax/instructions.def"
#undef FORM
};

constexpr std::string_view kModifierNames[] = {
#define MODIFIER(identifier, text) text,
#include "ptx/syntax/modifiers.def"
#undef MODIFIER
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

InstructionForm::Choice make_choice(std::string_view text) {
  if (const auto type = parse_type(text)) return {std::nullopt, *type, text};
  const auto* found = std::ranges::find(kModifierNames, text);
  // A name in neither list is a mistake in instructions.def. No text matches it; a test checks that there is no such name.
  if (found == std::end(kModifierNames)) return {std::nullopt, Type{}, {}};
  return {static_cast<Modifier>(found - std::begin(kModifierNames)), Type{}, text};
}

InstructionForm make_form(unsigned number, const Line& line) {
  InstructionForm form{number, line.opcode, {}, {}};
  for (std::string_view slot : split(line.modifiers, ' ')) {
    InstructionForm::Slot made;
    if (slot.front() == '[') {
      made.optional = true;
      slot = slot.substr(1, slot.size() - 2);
    }
    for (const auto choice : split(slot, '|')) made.choices.push_back(make_choice(choice));
    form.slots.push_back(std::move(made));
  }
  for (const auto operand : split(line.operands, ',')) {
    if (operand == "d|p")
      form.operands.push_back({'p'});
    else
      form.operands.push_back({operand.front(), operand.ends_with('?')});
  }
  return form;
}

struct Table {
  std::vector<InstructionForm> forms;
  std::map<std::string_view, std::vector<const InstructionForm*>> by_opcode;

  Table() {
    for (const Line& line : kLines) forms.push_back(make_form(static_cast<unsigned>(forms.size()), line));
    for (const InstructionForm& form : forms) by_opcode[form.opcode].push_back(&form);
  }
};

bool match_from(const InstructionForm& form, std::size_t slot, std::span<const std::string_view> parts,
                MatchedParts& matched) {
  if (slot == form.slots.size()) return parts.empty();
  const InstructionForm::Slot& wanted = form.slots[slot];
  if (!parts.empty()) {
    for (const InstructionForm::Choice& choice : wanted.choices) {
      if (choice.text != parts.front() || choice.text.empty()) continue;
      const MatchedParts before = matched;
      if (choice.modifier)
        matched.modifiers.set(static_cast<std::size_t>(*choice.modifier));
      else
        matched.types.push_back(choice.type);
      if (match_from(form, slot + 1, parts.subspan(1), matched)) return true;
      matched = before;
    }
  }
  return wanted.optional && match_from(form, slot + 1, parts, matched);
}

}  // namespace

std::span<const InstructionForm* const> forms_of(std::string_view opcode) {
  static const Table table;
  const auto found = table.by_opcode.find(opcode);
  if (found == table.by_opcode.end()) return {};
  return found->second;
}

std::optional<MatchedParts> match_parts(const InstructionForm& form,
                                        std::span<const std::string_view> parts) {
  MatchedParts matched;
  if (!match_from(form, 0, parts, matched)) return std::nullopt;
  return matched;
}

}  // namespace clcuda::ptx
