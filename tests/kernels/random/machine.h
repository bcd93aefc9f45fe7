// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model.h"

// Parts of programs of random statements: each has a text, and is executed on the host accordingly. The text is generated after the host
// has executed the program, and depends on that: arithmetic that did not overflow is written directly, so that the compiler may rely on it,
// other arithmetic in a form with a defined result.
namespace random_kernels {

constexpr unsigned kItems = 128, kGroup = 64, kSubGroup = 32, kMostLanes = 4;
using Lanes = std::array<Raw, kMostLanes>;
using Mask = std::bitset<kItems>;

// The state of all work-items. Those in a mask execute a statement together.
class Machine {
 public:
  struct TooLong {};

  unsigned add_cells(unsigned count) {
    cells_.resize(cells_.size() + count);
    return static_cast<unsigned>(cells_.size()) - count;
  }
  Lanes& cell(unsigned place, unsigned item) { return cells_[place][item]; }

  void take_turn() {
    if (++turns_ > kMostTurns) throw TooLong{};
  }

  // The work-items that have left the current loop or switch, its current iteration, or the function.
  Mask broken, continued, returned;

 private:
  static constexpr unsigned kMostTurns = 4000;

  std::vector<std::array<Lanes, kItems>> cells_;
  unsigned turns_ = 0;
};

// A variable, or an array whose length is a power of two.
struct Variable {
  Type type;
  unsigned width = 1, length = 1;
  std::string before, after;  // the text before and after an element's index
  unsigned place = 0;         // index of the first cell
  bool is_uniform = false;    // the same for all work-items of a group
  bool is_constant = false;   // must not be changed by other statements
  bool is_part = false;       // of a union: all elements share one cell
  std::string address;        // of the first element, if a function may get it
};

struct Expression {
  Type type;
  unsigned width;
  std::function<std::string()> text;
  std::function<Lanes(Machine&, unsigned item)> value;
};
using Term = std::shared_ptr<const Expression>;
using Terms = std::vector<Term>;
using Function = std::function<Raw(const std::vector<Raw>&)>;  // of the operands of one lane

class Statement {
 public:
  using Text = std::function<std::string()>;
  using Run = std::function<Mask(Machine&, const Mask&)>;  // returns the mask of those that continue after it
  Statement(Text text, Run run) : parts_(std::make_shared<Parts>(std::move(text), std::move(run))) {}

  std::string text() const { return parts_->text(); }
  Mask run(Machine& machine, const Mask& mask) const { return parts_->run(machine, mask); }

 private:
  struct Parts {
    Parts(Text text, Run run) : text(std::move(text)), run(std::move(run)) {}
    Text text;
    Run run;
  };
  std::shared_ptr<const Parts> parts_;
};

inline std::string name_of(const Type& type, unsigned width) {
  return width == 1 ? type.name : type.name + std::to_string(width);
}
std::string hex(Raw raw);
std::string replaced(std::string text, const std::string& what, const std::string& by);

// Terms.

Term literal(const Type& type, const Lanes& lanes, unsigned width = 1);
// `format` with $0, $1 … for the operands and $T for the type's name; a scalar result is converted back to the type.
Term apply(const std::string& format, const Type& type, unsigned width, const Terms& operands,
           const Function& function);
Term part(const Term& vector, unsigned lane);
Term converted(const Type& type, const Term& term);
// +, - and *, / and % of scalar integers of a type.
Term sum(char sign, const Type& type, const Term& a, const Term& b);
Term quotient(char sign, const Type& type, const Term& a, const Term& b);
// For scalars; the operand that is not selected is not evaluated.
Term choice(const Term& condition, const Term& a, const Term& b);
Term both(const Term& a, const Term& b);
Term element(const Variable& variable, const Term& index);
inline Term number_term(const Type& type, Wide value) { return literal(type, {wrap(type, value)}); }
inline Term of(const Variable& variable) { return element(variable, nullptr); }

// Statements.

Lanes read(Machine& machine, const Variable& variable, unsigned index, unsigned item);
void write(Machine& machine, const Variable& variable, unsigned index, unsigned item, const Lanes& lanes);
Statement assignment(const Variable& variable, const Term& index, const Term& value);
Statement sequence(const std::vector<Statement>& statements);
Statement branch(const Term& condition, const Statement& then, const Statement& otherwise);
template <class Act>
void for_each(const Mask& mask, const Act& act) {
  for (unsigned item = 0; item < kItems; ++item)
    if (mask[item]) act(item);
}
inline bool holds(const Term& condition, Machine& machine, unsigned item) {
  return condition->value(machine, item)[0] != 0;
}
// An action that all work-items of a mask execute together.
Statement together(const std::function<std::string()>& text,
                   const std::function<void(Machine&, const Mask&)>& act);

}  // namespace random_kernels
