// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/decorations.h"

#include <utility>

#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

// Of a target, also through groups: they are looked through for every question about it.
constexpr std::size_t kMostDecorations = 256;

bool gives(const Instruction& instruction, Decoration decoration) {
  return static_cast<Decoration>(instruction[1]) == decoration;
}

}  // namespace

bool Decorations::read(const Instruction& instruction) {
  switch (instruction.op()) {
    case Op::Decorate:
    case Op::DecorateId:
    case Op::DecorateString:
      add(instruction);
      return true;
    case Op::GroupDecorate:
      add_group(instruction);
      return true;
    // Member decorations are ignored: they are offsets, names and hints, and structures in kernels have C's layout.
    case Op::MemberDecorate:
    case Op::MemberDecorateString:
    case Op::GroupMemberDecorate:
    case Op::DecorationGroup:
      return true;
    default:
      return false;
  }
}

void Decorations::add(const Instruction& instruction) {
  OfTarget& target = targets_[instruction[0]];
  require(!target.is_shared, "a group has targets already");
  require(++target.count <= kMostDecorations, "a target has too many decorations");
  // A name without an end is refused here.
  if (gives(instruction, Decoration::LinkageAttributes)) (void)instruction.text_at(2);
  target.own.push_back(instruction);
}

// The targets refer to the group: a copy of what it has for each would take memory without bounds.
void Decorations::add_group(const Instruction& instruction) {
  const auto group = targets_.find(instruction[0]);
  if (group == targets_.end() || group->second.own.empty()) return;
  const std::size_t count = group->second.own.size();
  group->second.is_shared = true;
  for (const std::uint32_t id : instruction.operands_from(1)) {
    OfTarget& target = targets_[id];
    target.count += count;
    require(target.count <= kMostDecorations, "a target has too many decorations");
    target.groups.push_back(instruction[0]);
  }
}

template <class Act>
void Decorations::for_each(std::uint32_t target, Decoration decoration, const Act& act) const {
  const auto look_at = [&](const std::vector<Instruction>& instructions) {
    for (const Instruction& instruction : instructions)
      if (gives(instruction, decoration)) act(instruction);
  };
  const auto found = targets_.find(target);
  if (found == targets_.end()) return;
  look_at(found->second.own);
  for (const std::uint32_t group : found->second.groups) look_at(targets_.at(group).own);
}

const Instruction* Decorations::find(std::uint32_t target, Decoration decoration) const {
  const Instruction* first = nullptr;
  for_each(target, decoration, [&](const Instruction& instruction) {
    if (!first) first = &instruction;
  });
  return first;
}

std::optional<std::uint32_t> Decorations::operand(std::uint32_t target, Decoration decoration) const {
  const Instruction* instruction = find(target, decoration);
  if (!instruction || instruction->size() <= 2) return std::nullopt;
  return (*instruction)[2];
}

std::vector<std::uint32_t> Decorations::operands(std::uint32_t target, Decoration decoration) const {
  std::vector<std::uint32_t> all;
  for_each(target, decoration, [&](const Instruction& instruction) {
    if (instruction.size() > 2) all.push_back(instruction[2]);
  });
  return all;
}

std::optional<Decorations::Linkage> Decorations::linkage(std::uint32_t target) const {
  const Instruction* instruction = find(target, Decoration::LinkageAttributes);
  if (!instruction) return std::nullopt;
  std::size_t at = 2;
  std::string name = instruction->text(at);
  if (at == instruction->size()) return std::nullopt;
  return Linkage{std::move(name), static_cast<LinkageType>((*instruction)[at])};
}

}  // namespace clcuda::compiler::spirv
