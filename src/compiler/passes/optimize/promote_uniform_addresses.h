// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Addresses of local memory that are the same for a whole work-group and advance by a constant step in each iteration of an innermost loop
// are kept in a phi instead of computed from the loop's counter:
//
//   loop:  %a = getelementptr float, ptr addrspace(3) %tile, i64 %i    →  loop:  %a = phi ptr addrspace(3) [ %tile, … ], [ %next, %loop ]
//          %x = load float, ptr addrspace(3) %a                                  %x = load float, ptr addrspace(3) %a
//                                                                                %next = getelementptr i8, ptr addrspace(3) %a, i64 4
//
// ptxas then keeps them in uniform registers, and has more ordinary registers for loads ahead of time (see also rematerialize_ids.h). The
// function gets kCarriedAddressesAttribute. Runs at the very end of the optimisation, which would undo it. Does nothing outside of
// innermost loops, and to addresses that differ between work-items.
struct PromoteUniformAddresses : llvm::PassInfoMixin<PromoteUniformAddresses> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
