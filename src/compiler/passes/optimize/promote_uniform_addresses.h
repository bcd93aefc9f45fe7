// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Addresses of local memory that advance by the same step with each turn of a loop, and are the same for a
// whole group, are carried along instead of computed from the loop's counter. ptxas then keeps them in
// uniform registers, and has others to load ahead with, as long as nothing else holds those
// (rematerialize_ids.h). (At the very end of the optimisation.) Does nothing outside of innermost loops, and
// to addresses that differ between work-items.
struct PromoteUniformAddresses : llvm::PassInfoMixin<PromoteUniformAddresses> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
