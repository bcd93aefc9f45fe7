// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/builtin_name.h"

#include <llvm/IR/DerivedTypes.h>

#include <cstddef>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/library_names.h"

namespace clcuda::compiler::spirv {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Parses names in the form that builtin_type.cpp writes. An unknown part makes the whole parse fail.
class NameParser {
 public:
  explicit NameParser(std::string_view name) : rest_(name) {}

  std::optional<BuiltinName> parse() {
    BuiltinName result;
    if (!take("_Z")) return std::nullopt;
    result.function = take_counted();
    if (rest_ == "v") return failed_ ? std::nullopt : std::optional(result);
    while (!failed_ && !rest_.empty()) result.parameters.push_back(take_type());
    if (failed_ || result.parameters.empty()) return std::nullopt;
    return result;
  }

 private:
  struct Component {
    BuiltinType type;
    bool is_qualified;
  };

  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  char take_one() {
    if (rest_.empty()) return fail(), '\0';
    const char c = rest_[0];
    rest_.remove_prefix(1);
    return c;
  }
  void fail() { failed_ = true; }

  std::size_t take_number() {
    constexpr std::size_t kMost = 1000;
    std::size_t number = 0;
    if (rest_.empty() || !is_digit(rest_[0])) fail();
    for (; !rest_.empty() && is_digit(rest_[0]) && number < kMost; rest_.remove_prefix(1))
      number = number * 10 + static_cast<std::size_t>(rest_[0] - '0');
    return number;
  }
  // A length, followed by that many characters.
  std::string_view take_counted() {
    const std::size_t length = take_number();
    if (length == 0 || length > rest_.size()) return fail(), std::string_view();
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return text;
  }

  BuiltinType take_type() {
    if (!rest_.starts_with("P")) return rest_.starts_with("S") ? take_component().type : take_unqualified();
    rest_.remove_prefix(1);
    const BuiltinType pointee = take_pointee();
    if (pointee.is_pointer) fail();
    return add(pointer_to(pointee, pointee.address_space), false);
  }

  // A pointee always counts as qualified, also by the generic address space, which is not written.
  BuiltinType take_pointee() {
    if (rest_.starts_with("S")) {
      const Component component = take_component();
      return component.is_qualified ? component.type : add(component.type, true);
    }
    unsigned space = kGenericSpace;
    if (take("U3AS")) space = static_cast<unsigned>(take_one() - '0');
    const bool is_volatile = take("V"), is_constant = take("K");
    BuiltinType type = rest_.starts_with("S") ? take_component().type : take_unqualified();
    type.address_space = space;
    type.is_volatile = is_volatile;
    type.is_constant = is_constant;
    return add(type, true);
  }

  BuiltinType take_unqualified() {
    if (!take("U7_Atomic")) return take_value();
    BuiltinType type = rest_.starts_with("S") ? take_component().type : take_value();
    type.is_atomic = true;
    return add(type, false);
  }

  BuiltinType take_value() {
    BuiltinType type;
    if (take("Dv")) {
      type.elements = static_cast<unsigned>(take_number());
      if (!take("_")) fail();
    }
    const std::string_view start = rest_;
    if (!rest_.empty() && is_digit(rest_[0])) {
      take_counted();
    } else if (!take("Dh")) {
      constexpr std::string_view kLetters = "vbchstijlmfd";
      if (kLetters.find(take_one()) == std::string_view::npos) fail();
    }
    type.base = start.substr(0, start.size() - rest_.size());
    if (type.base.empty()) return fail(), kVoidType;
    return type.elements == 1 && !is_digit(type.base[0]) ? type : add(type, false);
  }

  // S_, S0_ … SZ_
  Component take_component() {
    rest_.remove_prefix(1);
    std::size_t number = 0;
    if (!rest_.starts_with("_")) {
      const char digit = take_one();
      if (is_digit(digit))
        number = 1 + static_cast<std::size_t>(digit - '0');
      else if (digit >= 'A' && digit <= 'Z')
        number = 11 + static_cast<std::size_t>(digit - 'A');
      else
        fail();
    }
    if (!take("_") || number >= components_.size()) fail();
    return failed_ ? Component{kVoidType, false} : components_[number];
  }

  BuiltinType add(const BuiltinType& type, bool is_qualified) {
    components_.push_back({type, is_qualified});
    return type;
  }

  std::string_view rest_;
  std::vector<Component> components_;
  bool failed_ = false;
};

// The address spaces of Clang's targets for SPIR and SPIR-V: private, global, constant, local, generic.
std::optional<unsigned> own_space(unsigned space) {
  constexpr unsigned kSpaces[] = {kGenericSpace, kGlobalSpace, kConstantSpace, kLocalSpace, kGenericSpace};
  if (space >= std::size(kSpaces)) return std::nullopt;
  return kSpaces[space];
}

bool has_types(const llvm::FunctionType& type, const std::vector<BuiltinType>& parameters) {
  if (type.isVarArg() || type.getNumParams() != parameters.size()) return false;
  for (unsigned i = 0; i < parameters.size(); ++i)
    if (type.getParamType(i) != llvm_type(parameters[i], type.getContext())) return false;
  return true;
}

}  // namespace

std::optional<BuiltinName> parse_builtin_name(std::string_view name) { return NameParser(name).parse(); }

std::optional<std::string> library_name(std::string_view import, const llvm::FunctionType& type) {
  auto parsed = parse_builtin_name(import);
  if (!parsed) return std::nullopt;
  for (BuiltinType& parameter : parsed->parameters) {
    const auto space = own_space(parameter.address_space);
    if (!space) return std::nullopt;
    parameter.address_space = *space;
  }
  std::string name = mangled(parsed->function, parsed->parameters);
  if (!has_types(type, parsed->parameters) || !is_library_name(name)) return std::nullopt;
  return name;
}

}  // namespace clcuda::compiler::spirv
