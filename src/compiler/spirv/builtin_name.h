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

// A mangled name taken apart; mangled(function, parameters) gives it back. Refers to the name: "_Z6vload4mPU3AS1Kf" is "vload4" with
// size_t and const global float*.
struct BuiltinName {
  std::string_view function;
  std::vector<BuiltinType> parameters;
};
// Nothing for a name that no builtin function can have.
std::optional<BuiltinName> parse_builtin_name(std::string_view name);

// The library's name of a builtin function that a module imports. Producers import those for which SPIR-V has no instruction, under the
// names that Clang mangles for SPIR-V, where address spaces have other numbers. Nothing if the library has no function of that name and
// type.
std::optional<std::string> library_name(std::string_view import, const llvm::FunctionType& type);

}  // namespace clcuda::compiler::spirv
