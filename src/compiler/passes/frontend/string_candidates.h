// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>

#include <string>

namespace clcuda::compiler {

// The string literals (and null pointers) that `value` can be, found through variables, selects, constant tables, and parameters and
// results of functions, in unoptimised code. Empty if it can be anything else, or more than 256 of them.
//
//   printf(n > 1 ? "%d items" : "%d item", n)    // the first argument has two candidates
llvm::SmallVector<llvm::Constant*> string_candidates(llvm::Value& value);

// The characters of a candidate up to its null character; a null pointer has none.
std::string string_of(const llvm::Constant& candidate);

}  // namespace clcuda::compiler
