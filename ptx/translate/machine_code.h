// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "ptx/translate/optimization_budget.h"

namespace llvm {
class TargetMachine;
}

namespace clcuda::ptx {

// Simplifies each function only so far that registers are SSA values and dead code is gone.
void simplify(llvm::Module& module, llvm::TargetMachine& machine);
// Optimises the module within the budget and emits it as a relocatable object.
std::string make_object(llvm::Module& module, llvm::TargetMachine& machine, OptimizationBudget budget);

}  // namespace clcuda::ptx
