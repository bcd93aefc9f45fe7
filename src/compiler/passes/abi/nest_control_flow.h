// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Gives a function control flow that nests: each branch has a block where all that part at it meet again,
// each loop one entry and one way out. A work-item that would never come to the end (in an endless loop,
// behind a trap) keeps the others waiting where they meet; the specification promises them no progress of
// their own, and a kernel in which one work-item never ends does not end for any other reason either.
void nest_control_flow(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace clcuda::compiler
