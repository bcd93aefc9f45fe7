// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace clcuda::compiler {

struct Lowering;

// Where a short branch can be replaced by computing both sides and choosing, LLVM does so. ptxas can do it too, and knows better what
// it costs: this keeps LLVM from it.
void keep_branches(llvm::Function& function);

// Branches as ptxas likes them, after optimisation. The condition at the end of a loop says when to go on: it peels loops that say when
// to leave. And no block counts as rare: LLVM would put it behind the function's end, which hides the loop's shape.
void arrange_branches(llvm::Module& module, const Lowering& lowering);

}  // namespace clcuda::compiler
