// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/passes/passes.h"

namespace clcuda::compiler {

// An atomic function of the library is a choice among up to forty-five instructions, by order, scope and address space. Where a call says
// which order and scope, the other ones never reach the optimiser.
void inline_atomic_functions(llvm::Module& module, const Lowering& lowering);

}  // namespace clcuda::compiler
