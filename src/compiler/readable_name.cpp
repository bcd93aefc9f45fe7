// SPDX-License-Identifier: Apache-2.0
#include "compiler/readable_name.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Demangle/Demangle.h>

namespace clcuda::compiler {

// References begin with S and T (Itanium C++ ABI, 5.1.8 and 5.1.5). Letters of plain names count, too.
bool is_safe_to_demangle(llvm::StringRef symbol) {
  constexpr std::size_t kLongest = 1000;
  constexpr auto kMostReferences = 12;
  const auto refers = [](char c) { return c == 'S' || c == 'T'; };
  return symbol.starts_with("_Z") && symbol.size() <= kLongest &&
         llvm::count_if(symbol, refers) <= kMostReferences;
}

std::string readable_name(llvm::StringRef symbol) {
  return is_safe_to_demangle(symbol) ? llvm::demangle(symbol.str()) : symbol.str();
}

}  // namespace clcuda::compiler
