// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Makes the function's control flow structured: each branch has a block where all its paths meet again, each loop has one entry and one
// exit, and each block leads to a return. TrackActiveMasks needs that form to know who comes to a block; it calls this for functions that
// are not in it. LLVM's passes (FixIrreducible, UnifyLoopExits, StructurizeCFG) do the work. Invalidates `analyses` of the function.
//
// A work-item in an endless loop or behind a trap then keeps the others waiting where they would meet. The specification promises them no
// independent progress, and a kernel in which one work-item never ends does not end anyway.
void nest_control_flow(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace clcuda::compiler
