// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <span>

#include "ptx/abi/code_object.h"

namespace clcuda::ptx {

// How much of the compiler's time code is worth. What takes time is reckoned in one unit, instructions that
// are optimised and emitted as usual, and held against one budget.

// How much compile time code is worth. All costs are expressed in one unit, the time to optimise and emit an instruction, and compared
// with one budget.
//
// For a whole program: the usual optimisation and code generation, the usual optimisation with quick code generation, or the least of
// both.
enum class OptimizationBudget { usual, quick_code, least };
OptimizationBudget optimization_budget_for(const llvm::Module& module, std::span<const KernelCode> kernels);

// For a loop over work-items with `item` as its body: true if it is to be vectorised. `waits` are the kernel's.
bool is_worth_vectorizing(const llvm::Function& item, std::span<const Wait> waits);

// For the same loop: true if it is to be optimised at all.
bool is_worth_optimizing(const llvm::Function& item, std::span<const Wait> waits);

}  // namespace clcuda::ptx
