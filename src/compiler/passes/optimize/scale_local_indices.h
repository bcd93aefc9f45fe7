// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Several accesses to an array in local memory whose indices are made of one number by constants, such as (i
// + 3) & 255 and (i + 4) & 255 of a ring, or i ^ 1 of a tile whose columns are permuted: that number is
// scaled to bytes once, instead of each index, and the address is then one that the load adds up itself. Does
// nothing where only one access would use the scaled number, or where the index is a sum alone, whose
// constant part is in the address already. (At the end of the optimisation, which would undo it.)
struct ScaleLocalIndices : llvm::PassInfoMixin<ScaleLocalIndices> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
