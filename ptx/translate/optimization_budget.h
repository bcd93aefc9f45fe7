// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <span>

#include "ptx/abi/code_object.h"

namespace clcuda::ptx {

// How much of the compiler's time code is worth. What takes time is reckoned in one unit, instructions that
// are optimised and emitted as usual, and held against one budget.

// Of a whole program: the usual optimisation and code generation, the usual optimisation only, or neither.
enum class OptimizationBudget { usual, quick_code, least };
OptimizationBudget optimization_budget_for(const llvm::Module& module, std::span<const KernelCode> kernels);

// Of a loop over work-items: whether to try to vectorise it. `waits` are the kernel's.
bool is_worth_vectorizing(const llvm::Function& item, std::span<const Wait> waits);

// Of the same: whether to optimise it at all, or to emit it as it stands.
bool is_worth_optimizing(const llvm::Function& item, std::span<const Wait> waits);

}  // namespace clcuda::ptx
