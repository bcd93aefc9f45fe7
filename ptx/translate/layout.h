// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx/abi/block.h"
#include "ptx/abi/code_object.h"
#include "ptx/abi/function_table.h"
#include "ptx/syntax/ast.h"

namespace clcuda::ptx {

// What a name means in a unit: the definition or, if there is none, declaration of a variable or function, and the number of the unit that
// it is in.
struct Symbol {
  const Variable* variable = nullptr;
  const Function* function = nullptr;
  unsigned unit = 0;
};

// The units of a program together: what each name means, and where each variable is. Refers to the units. The constructor throws
// ParseError if definitions contradict each other or variables are too large.
class Layout {
 public:
  explicit Layout(const std::vector<Module>& units);

  const Symbol* find(unsigned unit, const std::string& name) const;
  std::uint64_t global_offset(const Variable* variable) const { return global_offsets_.at(variable); }
  // In bytes from the base of the shared window, behind the reserved bytes.
  std::uint32_t shared_offset(const Variable* variable) const {
    return kReservedSharedBytes + shared_offsets_.at(variable);
  }
  std::uint32_t shared_bytes(const Function* kernel) const;
  // Of dynamic shared memory: the greatest of its declarations, at least 16 bytes.
  std::uint32_t dynamic_shared_alignment() const;
  // The functions whose addresses the program takes, in the order of their addresses (abi/function_table.h).
  const std::vector<Symbol>& addressed_functions() const { return addressed_; }
  std::uint64_t address_of(const Function* function) const { return function_address(numbers_.at(function)); }
  // The memory of .global and .const variables, with its initial contents.
  GlobalsDescription globals() const;

 private:
  void collect_symbols();
  void number_functions();
  void place_globals();
  void place_shared();
  void add_shared_users(const Function* kernel, unsigned kernel_unit);

  const std::vector<Module>& units_;
  std::vector<std::unordered_map<std::string, Symbol>> symbols_;
  std::map<std::string, Symbol> exported_;
  std::vector<Symbol> addressed_;
  std::unordered_map<const Function*, std::uint64_t> numbers_;  // in addressed_
  std::vector<std::pair<const Variable*, unsigned>> globals_;   // with their unit
  std::uint64_t globals_bytes_ = 0;
  std::unordered_map<const Variable*, std::uint64_t> global_offsets_;
  std::unordered_map<const Variable*, std::uint32_t> shared_offsets_;
  std::vector<const Variable*> shared_variables_;
  std::unordered_map<const Variable*, std::vector<const Function*>> shared_users_;
  std::unordered_map<const Function*, std::uint32_t> shared_bytes_;  // of kernels that use shared variables
};

}  // namespace clcuda::ptx
