// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace clcuda::compiler {

// The mangled name of an overload of the OpenCL C library, in two parts (Itanium C++ ABI, 5.1): "_Z3sinDv4_f" is sin(float4), with the
// name "sin" and the parameters "Dv4_f". Refers to the text that was split.
struct MangledName {
  llvm::StringRef name, parameters;  // "sin", "Dv4_f"
};

// Nothing for names that are not mangled, and for those of members and templates.
inline std::optional<MangledName> split_mangled(llvm::StringRef text) {
  std::size_t length = 0;
  if (!text.consume_front("_Z") || text.consumeInteger(10, length) || length >= text.size())
    return std::nullopt;
  return MangledName{text.take_front(length), text.drop_front(length)};
}
// mangled("sin", "f") is "_Z3sinf".
inline std::string mangled(llvm::StringRef name, llvm::StringRef parameters) {
  return ("_Z" + llvm::Twine(name.size()) + name + parameters).str();
}

}  // namespace clcuda::compiler
