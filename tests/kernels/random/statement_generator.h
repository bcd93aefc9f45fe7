// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "dice.h"
#include "machine.h"

namespace random_kernels {

// Kernels of random statements: loops of all kinds, divergent branches, switches, arrays in each kind of memory, structures, unions,
// functions, and collective operations; with the expected output of each work-item.
class StatementGenerator : Dice {
 public:
  explicit StatementGenerator(std::mt19937_64& random) : Dice(random) {}

  struct Program {
    std::string source;
    std::vector<Raw> input;              // the second argument
    std::size_t own_words = 0;           // of the third argument, per work-item
    std::size_t board_words = 0;         // of the fourth argument, of 32 bits, all 0
    std::vector<std::string> variables;  // from which the words of the output are computed
    std::vector<Raw> expected;           // the first argument: `variables` per work-item
  };
  Program make();

 private:
  // The context of a statement.
  enum class Leave { no, if_uniform, yes };
  struct Place {
    bool is_uniform = true;   // all work-items of a group execute it together
    Leave leave = Leave::no;  // whether it may leave the loop around it
    bool is_in_function = false;
    unsigned depth = 3;
    Place deeper() const { return {is_uniform, leave, is_in_function, depth - 1}; }
    Place parted() const {
      return {false, leave == Leave::yes ? Leave::yes : Leave::no, is_in_function, depth - 1};
    }
  };
  struct Helper {
    std::string name;
    std::vector<Variable> parameters;
    std::optional<Variable> pointer;
    Variable result;
    Statement body;
  };
  using Wanted = std::function<bool(const Variable&)>;

  std::string fresh(const char* kind) { return kind + std::to_string(++names_); }
  std::optional<Variable> find(const Wanted& wanted);
  Variable scalar(const Type& type, const std::string& name);
  Type any_integer() { return chance(40) ? kIntegers[4 + below(2)] : any_of(kIntegers); }

  // statement_terms.cpp: scalar terms, uniform in a work-group if `uniform`.
  Term integer(const Type& type, bool uniform, unsigned depth);
  Term leaf(const Type& type, bool uniform, unsigned depth);
  Term constant(const Type& type);
  Term of_two(const Type& type, bool uniform, unsigned depth);
  Term pattern(const Type& type, bool uniform, unsigned depth);
  Term of_floating(const Type& type, bool uniform, unsigned depth);
  Term condition(bool uniform, unsigned depth);
  Term floating(const Type& type, bool uniform, unsigned depth);
  Term vector(const Type& type, unsigned width, unsigned depth);
  Term vector_leaf(const Type& type, unsigned width, unsigned depth);
  Term any_term(const Variable& variable, bool uniform, unsigned depth);
  Term index_of(const Variable& array, bool uniform);

  // statement_kinds.cpp, statement_loops.cpp, statement_groups.cpp
  Statement block(const Place& place, unsigned most);
  Statement statement(const Place& place);
  Statement assign(const Place& place);
  Statement swizzle();
  Statement parting(const Place& place);
  Statement selection(const Place& place);
  Statement leaving(const Place& place);
  Statement vector_memory();
  Statement generic_pointer();
  Statement copied_record();
  Statement call();
  Statement loop(const Place& place);
  Statement chain_loop(const Place& place);
  Statement search_loop(const Place& place);
  Statement group_act(const Place& place);
  Statement exchange();
  Statement refilled_table();
  Statement posting();
  Statement collective();
  Statement atomic_sum();
  Statement copied_by_group();

  // statement_generator.cpp
  void declare_inputs();
  void declare_arrays();
  void declare_records();
  void declare_helpers();
  Variable declared(Variable variable, const std::string& text);
  std::string given(const Type& type, unsigned width, unsigned place, bool uniform);
  Helper helper();
  std::string definition(const Helper& helper) const;
  Program finished(const Statement& body);

  Machine machine_;
  std::vector<Variable> variables_;  // in scope
  std::vector<Helper> helpers_;
  std::optional<Variable> table_, posted_, result_;
  std::vector<Variable> records_;  // fields of an array of structures
  std::string functions_, declarations_;
  std::vector<Raw> input_;
  std::size_t own_words_ = 0;
  unsigned names_ = 0;
};

}  // namespace random_kernels
