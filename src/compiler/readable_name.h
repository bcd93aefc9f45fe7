// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace clcuda::compiler {

// Whether LLVM's demangler may be given the name, which a program chose. A name refers back to its parts, so that its text may double with
// every few characters, and where memory runs out, the demangler ends the process.
bool is_safe_to_demangle(llvm::StringRef symbol);

// The name as in the source, for messages; mangled if it is not safe to demangle.
std::string readable_name(llvm::StringRef symbol);

}  // namespace clcuda::compiler
