// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

namespace clcuda::compiler {

struct Lowering;

// Where a choice takes one of two values, LLVM computes both first, even by a division. What only one of them needs goes behind a branch
// again, if a division or a root is among it: work-items that all choose the other value do without. (After optimisation.)
void branch_around_divisions(llvm::Module& module, const Lowering& lowering);

}  // namespace clcuda::compiler
