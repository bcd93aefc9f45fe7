// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

#include "builtins/embedded.h"

namespace clcuda::compiler {

// Programs may have functions of their own with names that the OpenCL C library has. Theirs get a prefix, by which modules of a program
// link with each other; a SPIR-V module that imports such a name may mean either.
inline constexpr char kProgramPrefix[] = "program.";

inline bool is_library_name(llvm::StringRef name) {
  return !builtins::library_module_defining({name.data(), name.size()}).empty();
}
inline std::string program_name(llvm::StringRef name) { return (kProgramPrefix + name).str(); }

}  // namespace clcuda::compiler
