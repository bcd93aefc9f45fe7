// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/spirv/enumerants.h"
#include "compiler/spirv/instruction.h"

namespace clcuda::compiler::spirv {

// What OpDecorate, OpMemberDecorate, OpGroupDecorate and the like say of ids. Refers to the module's words, and takes no more memory than
// in proportion to these.
//
//   if (const auto bytes = decorations.operand(variable, Decoration::Alignment)) …
class Decorations {
 public:
  // Records an instruction; false if it is not one of these.
  bool read(const Instruction& instruction);

  bool has(std::uint32_t target, Decoration decoration) const { return find(target, decoration) != nullptr; }
  // The decoration's first operand; nothing if the id does not have the decoration.
  std::optional<std::uint32_t> operand(std::uint32_t target, Decoration decoration) const;
  // The first operands of a decoration that may be given several times: FuncParamAttr.
  std::vector<std::uint32_t> operands(std::uint32_t target, Decoration decoration) const;

  struct Linkage {
    std::string name;
    LinkageType type;
  };
  std::optional<Linkage> linkage(std::uint32_t target) const;

 private:
  struct OfTarget {
    std::vector<Instruction> own;
    std::vector<std::uint32_t> groups;  // what these ids have, the target has as well
    std::size_t count = 0;              // of decorations, its own and those of groups
    bool is_shared = false;             // a group that has targets
  };

  void add(const Instruction& instruction);
  void add_group(const Instruction& instruction);
  // Calls `act` for each instruction that gives the target the decoration.
  template <class Act>
  void for_each(std::uint32_t target, Decoration decoration, const Act& act) const;
  // The first one; null if the id does not have the decoration.
  const Instruction* find(std::uint32_t target, Decoration decoration) const;

  std::unordered_map<std::uint32_t, OfTarget> targets_;
};

}  // namespace clcuda::compiler::spirv
