// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/decorations.h"

#include <algorithm>

#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

// Limits the decorations and targets of a group, which bounds the work that one instruction can cause.
constexpr std::size_t kMostOfAGroup = 64;
// They are looked through for every question about their target.
constexpr std::size_t kMostOfATarget = 256;

}  // namespace

bool Decorations::read(const Instruction& instruction) {
  switch (instruction.op()) {
    case Op::Decorate:
    case Op::DecorateId:
    case Op::DecorateString:
      add(instruction[0], instruction);
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

void Decorations::add(std::uint32_t target, const Instruction& instruction) {
  Entry entry{.decoration = static_cast<Decoration>(instruction[1])};
  std::size_t at = 2;
  if (entry.decoration == Decoration::LinkageAttributes) entry.text = instruction.text(at);
  const auto rest = instruction.operands_from(at);
  entry.operands.assign(rest.begin(), rest.end());
  auto& own = entries_[target];
  require(own.size() < kMostOfATarget, "a target has too many decorations");
  own.push_back(std::move(entry));
}

void Decorations::add_group(const Instruction& instruction) {
  const auto group = entries_.find(instruction[0]);
  if (group == entries_.end()) return;
  const std::vector<Entry> decorations = group->second;
  require(decorations.size() <= kMostOfAGroup, "the group has too many decorations");
  for (const std::uint32_t target : instruction.operands_from(1)) {
    auto& own = entries_[target];
    require(own.size() <= kMostOfAGroup, "a target has too many decorations");
    own.insert(own.end(), decorations.begin(), decorations.end());
  }
}

const Decorations::Entry* Decorations::find(std::uint32_t target, Decoration decoration) const {
  const auto own = entries_.find(target);
  if (own == entries_.end()) return nullptr;
  const auto entry = std::ranges::find(own->second, decoration, &Entry::decoration);
  return entry == own->second.end() ? nullptr : &*entry;
}

std::optional<std::uint32_t> Decorations::operand(std::uint32_t target, Decoration decoration) const {
  const Entry* entry = find(target, decoration);
  if (!entry || entry->operands.empty()) return std::nullopt;
  return entry->operands[0];
}

std::vector<std::uint32_t> Decorations::operands(std::uint32_t target, Decoration decoration) const {
  std::vector<std::uint32_t> all;
  const auto own = entries_.find(target);
  if (own == entries_.end()) return all;
  for (const Entry& entry : own->second)
    if (entry.decoration == decoration && !entry.operands.empty()) all.push_back(entry.operands[0]);
  return all;
}

std::optional<Decorations::Linkage> Decorations::linkage(std::uint32_t target) const {
  const Entry* entry = find(target, Decoration::LinkageAttributes);
  if (!entry || entry->operands.empty()) return std::nullopt;
  return Linkage{entry->text, static_cast<LinkageType>(entry->operands[0])};
}

}  // namespace clcuda::compiler::spirv
