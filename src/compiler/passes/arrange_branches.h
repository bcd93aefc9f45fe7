// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

namespace clcuda::compiler {

struct Lowering;

// Where a branch can be replaced by computing both sides and choosing, LLVM does so if that takes a few operations. ptxas can do it
// too, and knows better what it costs: in libdevice, this leaves it to ptxas. (After resolve_nvvm_reflect.)
void keep_branches(llvm::Module& module, const Lowering& lowering);

// Branches as ptxas likes them, after optimisation. The condition at the end of a loop says when to go on: it peels loops that say when
// to leave. And no block counts as rare: LLVM would put it behind the function's end, which hides the loop's shape.
void arrange_branches(llvm::Module& module, const Lowering& lowering);

}  // namespace clcuda::compiler
