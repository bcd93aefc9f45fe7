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

// What OpDecorate, OpMemberDecorate, OpGroupDecorate and the like say of ids.
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
  struct Entry {
    Decoration decoration;
    std::vector<std::uint32_t> operands;
    std::string text;  // of LinkageAttributes: the name, whose linkage is the operand
  };

  void add(std::uint32_t target, const Instruction& instruction);
  void add_group(const Instruction& instruction);
  const Entry* find(std::uint32_t target, Decoration decoration) const;

  std::unordered_map<std::uint32_t, std::vector<Entry>> entries_;
};

}  // namespace clcuda::compiler::spirv
