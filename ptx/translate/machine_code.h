// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "ptx/translate/optimization_budget.h"

namespace llvm {
class TargetMachine;
}

namespace clcuda::ptx {

// Cleans each function up just so far that registers are values and dead code is gone.
void simplify(llvm::Module& module, llvm::TargetMachine& machine);
// Optimised, as far as it is worth it, to a relocatable object.
std::string make_object(llvm::Module& module, llvm::TargetMachine& machine, OptimizationBudget budget);

}  // namespace clcuda::ptx
