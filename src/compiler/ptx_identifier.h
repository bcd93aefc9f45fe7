// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/StringExtras.h>

namespace clcuda::compiler {

// Whether an identifier of PTX can have the character, after the first.
inline bool is_of_ptx_identifier(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

}  // namespace clcuda::compiler
