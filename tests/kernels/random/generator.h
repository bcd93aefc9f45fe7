// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "dice.h"
#include "model.h"

namespace random_kernels {

// Kernels of random statements over scalars and vectors of all types, and the expected output of each work-item.
class Generator : Dice {
 public:
  static constexpr unsigned kItems = 96, kGroup = 32, kStatements = 24;

  explicit Generator(std::mt19937_64& random) : Dice(random) {}

  struct Program {
    std::string source;
    std::vector<Raw> input;     // the second argument
    std::vector<Raw> expected;  // the first: `statements` values per work-item
  };
  Program make();

 private:
  using Lanes = std::array<Raw, 16>;
  // An expression, and its value in each work-item.
  struct Value {
    std::string text;
    Type type;
    unsigned width;
    std::vector<Lanes> lanes = std::vector<Lanes>(kItems);
  };
  using Values = std::vector<Value>;
  // A bit of a variable or of a literal, which decides as a whole.
  struct Condition {
    std::string text;
    std::array<bool, kItems> holds;  // in each work-item
  };
  using Function = std::function<Raw(const std::vector<Raw>&)>;  // of the operands of one lane

  Type any_type() { return chance(70) ? any_of(kIntegers) : any_of(kFloats); }
  unsigned any_width();

  // Expressions of a type and width, with operands of less depth.
  Value expression(const Type& type, unsigned width, unsigned depth);
  Value integer(const Type& type, unsigned width, unsigned depth);
  Value floating(const Type& type, unsigned width, unsigned depth);
  Value leaf(const Type& type, unsigned width);
  Value literal(const Type& type, unsigned width);
  Condition any_condition();
  Value one_of_two(const Type& type, unsigned width);
  Value part(const Value& of, unsigned width);
  Value arithmetic(const Type& type, unsigned width, unsigned depth);
  Value division(const Type& type, unsigned width, unsigned depth);
  Value of_one(const Type& type, unsigned width, unsigned depth);
  Value of_two(const Type& type, unsigned width, unsigned depth);
  Value of_three(const Type& type, unsigned width, unsigned depth);
  Value of_24_bits(const Type& type, unsigned width, unsigned depth);
  Value comparison(const Type& type, unsigned width, unsigned depth);
  Value choice(const Type& type, unsigned width, unsigned depth);
  Value upsampled(const Type& type, unsigned width, unsigned depth);
  Value shuffled(const Type& type, unsigned width, unsigned depth);
  Value reinterpreted(const Type& type, unsigned width);
  Value converted(const Type& type, unsigned width, unsigned depth);

  // Statements that modify or create the last variable.
  std::string written_part(Value& variable);
  std::string through_private_memory(const Value& variable);
  std::string through_local_memory(Value& variable);
  std::string branch(Value& variable);
  std::string loop(Value& variable);

  static std::string name_of(const Type& type, unsigned width);
  // `format` with $0, $1 … for the operands and $T for the type's name; a scalar result is converted back to the type.
  static Value apply(const std::string& format, const Type& type, unsigned width, const Values& operands,
                     const Function& function);
  static std::string folded(const Value& variable);

  Value input(const Type& type, unsigned width, std::vector<Raw>& words);
  void fold(const Value& variable, std::vector<Raw>& expected, unsigned statement) const;

  Values variables_;
};

}  // namespace random_kernels
