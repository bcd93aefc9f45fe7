// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/spirv/builtin_type.h"

namespace llvm {
class FunctionType;
}

namespace clcuda::compiler::spirv {

// A mangled name taken apart: what mangled() makes of it again. Views into the name.
struct BuiltinName {
  std::string_view function;
  std::vector<BuiltinType> parameters;
};
// Nothing for a name that no builtin function can have.
std::optional<BuiltinName> parse_builtin_name(std::string_view name);

// Modules import builtin functions that their producer has no instruction for, under the names that Clang
// gives them for SPIR-V, where address spaces have other numbers. The library's name of such a function;
// nothing where it has none of that name and type.
std::optional<std::string> library_name(std::string_view import, const llvm::FunctionType& type);

}  // namespace clcuda::compiler::spirv
