// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

namespace clcuda::ptx {

// Inlines functions in which a work-item can suspend or exit, because only a kernel's own code is split at suspensions
// (regions/region_splitter.h); also small functions, for speed. Throws ParseError if recursion or a call through a pointer makes that
// impossible.
void inline_functions(llvm::Module& module);

}  // namespace clcuda::ptx
