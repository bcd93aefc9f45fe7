// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace clcuda::compiler {

// "_Z3sinDv4_f": the name of an overload of the OpenCL C library (Itanium C++ ABI, 5.1).
struct MangledName {
  llvm::StringRef name, parameters;  // "sin", "Dv4_f"
};

// Nothing for names that are not mangled, or are those of members or templates.
inline std::optional<MangledName> split_mangled(llvm::StringRef text) {
  std::size_t length = 0;
  if (!text.consume_front("_Z") || text.consumeInteger(10, length) || length >= text.size())
    return std::nullopt;
  return MangledName{text.take_front(length), text.drop_front(length)};
}
inline std::string mangled(llvm::StringRef name, llvm::StringRef parameters) {
  return ("_Z" + llvm::Twine(name.size()) + name + parameters).str();
}

}  // namespace clcuda::compiler
