// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ptx/abi/state_space.h"
#include "ptx/syntax/instruction_form.h"
#include "ptx/syntax/type.h"

namespace clcuda::ptx {

enum class Linkage : std::uint8_t { internal, visible, external, weak, common };

// One value of a variable's initialiser: a number, or (part of) the address of a symbol.
struct InitialValue {
  std::uint64_t bits = 0;
  std::string symbol;
  std::int64_t offset = 0;
  bool generic = false;
  unsigned shift = 0;  // mask(symbol): which byte of the address a .b8 element holds
};

// A variable of a unit or function, a parameter or a result. `line` is that of its declaration.
struct Variable {
  std::string name;
  Space space = Space::none;
  Linkage linkage = Linkage::internal;
  Type type;
  std::uint64_t elements = 1;  // 0: extern array without a size
  std::uint32_t alignment = 1;
  std::vector<InitialValue> initial;
  unsigned line = 0;
  // For a parameter of a call, declared in a block { }: its offset in bytes behind those that the enclosing blocks have declared. Blocks
  // next to each other share memory.
  std::uint64_t place = 0;

  std::uint64_t bytes() const { return elements * type.bytes(); }
};

struct Register {
  std::string name;
  Type type;
};

// An operand of an instruction. Names that the function declares have been resolved to indices by the parser.
struct Operand {
  enum class Kind : std::uint8_t {
    sink,
    reg,
    immediate,
    single_immediate,
    double_immediate,
    symbol,
    variable,
    special,
    label,
    vector
  };
  Kind kind = Kind::sink;
  bool negated = false;           // !predicate
  unsigned index = 0;             // of the register, function variable or label
  std::uint64_t bits = 0;         // of an immediate
  std::int64_t offset = 0;        // added to an address
  std::string name;               // symbol at module scope, special register
  std::vector<Operand> elements;  // vector; a second destination (`p|q`) is an element too
  bool address = false;           // in brackets; `elements` are the coordinates of a texture or surface then
};

// @p or @!p: the instruction is executed if the predicate register is true, or false.
struct Guard {
  unsigned reg;
  bool negated;
};

// `@%p1 add.s32 %r1, %r2, 7;`: the form tells the handler in the translator, `parts` what has been chosen among its modifiers and types.
struct Instruction {
  const InstructionForm* form = nullptr;
  unsigned line = 0;
  std::optional<Guard> guard;
  MatchedParts parts;
  std::vector<Operand> operands;
  // call only
  std::vector<Operand> results, arguments;
  unsigned prototype = 0;  // of an indirect call: index in Function::prototypes, plus 1

  bool has(Modifier modifier) const { return parts.modifiers.test(static_cast<std::size_t>(modifier)); }
  Type type(std::size_t index = 0) const { return parts.types.at(index); }
  Type last_type() const { return parts.types.back(); }
};

// The signature of an indirect call: .callprototype states it, .calltargets names functions that have it.
struct Prototype {
  std::vector<Variable> results, parameters;
  std::vector<std::string> targets;
};

// A function or (`entry`) kernel. The members below `has_body` are filled by parse_body().
struct Function {
  std::string name;
  Linkage linkage = Linkage::internal;
  bool entry = false;
  bool has_body = false;
  unsigned line = 0;
  std::vector<Variable> results, parameters;
  std::array<std::uint32_t, 3> required_block{}, max_block{};

  std::deque<Register> registers;
  std::vector<Variable> variables;             // .local, .shared, .param inside the body
  std::vector<std::vector<unsigned>> targets;  // .branchtargets lists, of label numbers
  std::vector<Prototype> prototypes;
  std::vector<unsigned> labels;  // label → index of the instruction after it
  std::vector<Instruction> instructions;
};

// A PTX unit.
struct Module {
  unsigned version = 0;  // 10 · major + minor
  unsigned target = 0;   // sm_90 → 90
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

}  // namespace clcuda::ptx
