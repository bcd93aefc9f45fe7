// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/layout.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "ptx/syntax/parse_error.h"

namespace clcuda::ptx {
namespace {

constexpr std::uint64_t kLargestGlobals = std::uint64_t{1} << 37;

std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

bool is_definition(const Symbol& symbol) {
  return symbol.function ? symbol.function->has_body : symbol.variable->linkage != Linkage::external;
}

bool may_be_replaced(const Symbol& symbol) {
  const Linkage linkage = symbol.function ? symbol.function->linkage : symbol.variable->linkage;
  return !is_definition(symbol) || linkage == Linkage::weak || linkage == Linkage::common;
}

// All dynamic shared arrays are the same memory, so their declarations never conflict.
bool is_dynamic_shared(const Symbol& symbol) {
  return symbol.variable && symbol.variable->space == Space::shared &&
         symbol.variable->linkage == Linkage::external;
}

// Calls `act` for every symbol that is an operand, or an element of one.
template <typename Act>
void for_each_symbol(const Instruction& instruction, Act act) {
  const auto look_at = [&](const Operand& operand, const auto& self) -> void {
    for (const Operand& element : operand.elements) self(element, self);
    if (operand.kind == Operand::Kind::symbol) act(operand);
  };
  for (const auto* list : {&instruction.operands, &instruction.arguments})
    for (const Operand& operand : *list) look_at(operand, look_at);
}

bool is_called(const Operand& operand, const Instruction& call) {
  return call.form->opcode == "call" && &operand == &call.operands[0];
}

bool is_indirect_call(const Instruction& instruction) {
  return instruction.form->opcode == "call" && instruction.operands[0].kind == Operand::Kind::reg;
}

bool is_function_with_body(const Symbol* symbol) {
  return symbol && symbol->function && symbol->function->has_body && !symbol->function->entry;
}

}  // namespace

Layout::Layout(const std::vector<Module>& units) : units_(units), symbols_(units.size()) {
  collect_symbols();
  number_functions();
  place_globals();
  place_shared();
}

void Layout::collect_symbols() {
  for (unsigned unit = 0; unit < units_.size(); ++unit) {
    const auto add = [&](const std::string& name, Linkage linkage, unsigned line, const Symbol& symbol) {
      const auto [own, is_new] = symbols_[unit].emplace(name, symbol);
      if (!is_new) {
        if (!may_be_replaced(own->second) && !may_be_replaced(symbol))
          throw ParseError(line, "'" + name + "' is defined twice");
        if (!is_definition(own->second)) own->second = symbol;
      }
      if (linkage == Linkage::internal || is_dynamic_shared(symbol)) return;
      const auto [all, is_first] = exported_.emplace(name, symbol);
      if (is_first) return;
      if (!may_be_replaced(all->second) && !may_be_replaced(symbol) && all->second.unit != unit)
        throw ParseError(line, "'" + name + "' is defined in two units");
      if (may_be_replaced(all->second) && is_definition(symbol)) all->second = symbol;
    };
    for (const Variable& variable : units_[unit].variables)
      add(variable.name, variable.linkage, variable.line, {&variable, nullptr, unit});
    for (const Function& function : units_[unit].functions)
      add(function.name, function.linkage, function.line, {nullptr, &function, unit});
  }
}

const Symbol* Layout::find(unsigned unit, const std::string& name) const {
  const auto own = symbols_[unit].find(name);
  if (own == symbols_[unit].end()) return nullptr;
  const Linkage linkage =
      own->second.function ? own->second.function->linkage : own->second.variable->linkage;
  if (linkage == Linkage::internal || is_dynamic_shared(own->second)) return &own->second;
  const auto all = exported_.find(name);
  return all == exported_.end() ? &own->second : &all->second;
}

void Layout::number_functions() {
  const auto take = [&](unsigned unit, const std::string& name) {
    const Symbol* symbol = find(unit, name);
    if (is_function_with_body(symbol) && numbers_.emplace(symbol->function, addressed_.size()).second)
      addressed_.push_back(*symbol);
  };
  for (unsigned unit = 0; unit < units_.size(); ++unit) {
    for (const Variable& variable : units_[unit].variables)
      for (const InitialValue& value : variable.initial) take(unit, value.symbol);
    for (const Function& function : units_[unit].functions)
      for (const Instruction& instruction : function.instructions)
        for_each_symbol(instruction, [&](const Operand& operand) {
          if (!is_called(operand, instruction)) take(unit, operand.name);
        });
  }
}

void Layout::place_globals() {
  for (unsigned unit = 0; unit < units_.size(); ++unit) {
    for (const Variable& variable : units_[unit].variables) {
      if (variable.space != Space::global && variable.space != Space::constant) continue;
      const Symbol* symbol = find(unit, variable.name);
      if (!symbol || symbol->variable != &variable || variable.linkage == Linkage::external) continue;
      globals_bytes_ = align_up(globals_bytes_, variable.alignment);
      global_offsets_[&variable] = globals_bytes_;
      globals_bytes_ += std::max<std::uint64_t>(variable.bytes(), 1);
      if (globals_bytes_ > kLargestGlobals)
        throw ParseError(variable.line, "the variables of the program are too large");
      globals_.emplace_back(&variable, unit);
    }
  }
}

// Shared variables may overlap unless one kernel can reach both. Each gets the lowest offset after those that it must not overlap.
void Layout::place_shared() {
  for (unsigned unit = 0; unit < units_.size(); ++unit)
    for (const Function& function : units_[unit].functions)
      if (function.entry && function.has_body) add_shared_users(&function, unit);
  for (const Variable* variable : shared_variables_) {
    const std::vector<const Function*>& users = shared_users_[variable];
    std::uint64_t offset = 0;
    for (const Function* user : users) offset = std::max<std::uint64_t>(offset, shared_bytes_[user]);
    offset = align_up(offset, variable->alignment);
    const std::uint64_t end = offset + variable->bytes();
    if (end > (std::uint64_t{1} << 30)) throw ParseError(variable->line, "too much shared memory");
    shared_offsets_[variable] = static_cast<std::uint32_t>(offset);
    for (const Function* user : users) shared_bytes_[user] = static_cast<std::uint32_t>(end);
  }
}

std::uint32_t Layout::dynamic_shared_alignment() const {
  std::uint32_t alignment = 16;
  for (const Module& unit : units_)
    for (const Variable& variable : unit.variables)
      if (variable.space == Space::shared &&
          (variable.linkage == Linkage::external || variable.elements == 0))
        alignment = std::max(alignment, variable.alignment);
  return alignment;
}

void Layout::add_shared_users(const Function* kernel, unsigned kernel_unit) {
  std::vector<std::pair<const Function*, unsigned>> open{{kernel, kernel_unit}};
  std::unordered_set<const Function*> seen;
  const auto use_variable = [&](const Variable* variable) {
    if (variable->space != Space::shared || variable->linkage == Linkage::external) return;
    auto& users = shared_users_[variable];
    if (users.empty()) shared_variables_.push_back(variable);
    if (users.empty() || users.back() != kernel) users.push_back(kernel);
  };
  while (!open.empty()) {
    const auto [function, unit] = open.back();
    open.pop_back();
    if (!seen.insert(function).second) continue;
    for (const Variable& variable : function->variables) use_variable(&variable);
    for (const Instruction& instruction : function->instructions) {
      for_each_symbol(instruction, [&, unit = unit](const Operand& operand) {
        const Symbol* symbol = find(unit, operand.name);
        if (!symbol) return;
        if (symbol->variable) use_variable(symbol->variable);
        if (is_function_with_body(symbol)) open.emplace_back(symbol->function, symbol->unit);
      });
      if (is_indirect_call(instruction))
        for (const Symbol& callee : addressed_) open.emplace_back(callee.function, callee.unit);
    }
  }
}

std::uint32_t Layout::shared_bytes(const Function* kernel) const {
  const auto found = shared_bytes_.find(kernel);
  return found == shared_bytes_.end() ? 0 : found->second;
}

GlobalsDescription Layout::globals() const {
  GlobalsDescription description{.bytes = globals_bytes_};
  for (const auto& [variable, unit] : globals_) {
    const std::uint64_t base = global_offsets_.at(variable);
    description.exported.push_back({variable->name, base, variable->bytes()});
    if (variable->initial.empty()) continue;
    const unsigned size = variable->type.bytes();
    std::string bytes(variable->initial.size() * size, '\0');
    for (std::size_t i = 0; i < variable->initial.size(); ++i) {
      const InitialValue& value = variable->initial[i];
      const std::uint64_t where = base + i * size;
      if (value.symbol.empty()) {
        std::memcpy(bytes.data() + i * size, &value.bits, std::min<std::size_t>(size, 8));
        continue;
      }
      const Symbol* symbol = find(unit, value.symbol);
      const bool placed = symbol && symbol->variable && global_offsets_.contains(symbol->variable);
      if (!placed && !is_function_with_body(symbol))
        throw ParseError(
            variable->line,
            "'" + value.symbol +
                "' in an initial value is no .global or .const variable or function of the program");
      if (size != 8 && size != 1) throw ParseError(variable->line, "an address needs a 64-bit element");
      if (!placed) {
        const std::uint64_t address =
            (address_of(symbol->function) + static_cast<std::uint64_t>(value.offset)) >> value.shift;
        std::memcpy(bytes.data() + i * size, &address, size);
        continue;
      }
      description.fixups.push_back(
          {where, global_offsets_.at(symbol->variable) + static_cast<std::uint64_t>(value.offset),
           static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(value.shift)});
    }
    description.initial.push_back({base, std::move(bytes)});
  }
  return description;
}

}  // namespace clcuda::ptx
