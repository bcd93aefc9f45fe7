// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

namespace clcuda::ptx {

// Functions in which a work-item can suspend or exit become part of their callers, because only a kernel's
// own code is split at suspensions; so do small ones, for speed. Throws ParseError where recursion makes that
// impossible.
void inline_functions(llvm::Module& module);

}  // namespace clcuda::ptx
