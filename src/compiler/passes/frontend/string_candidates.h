// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>

#include <string>

namespace clcuda::compiler {

// The string literals (and null pointers) that `value` can be: through variables, choices, tables, parameters
// and results of functions, as the program stands before any optimisation. Empty if it can be something else.
llvm::SmallVector<llvm::Constant*> string_candidates(llvm::Value& value);

// The characters of a candidate up to its null character.
std::string string_of(const llvm::Constant& candidate);

}  // namespace clcuda::compiler
