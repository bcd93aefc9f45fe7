// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Where addresses are carried along (promote_uniform_addresses.h): what is made of the ids of the work-item
// and its group in a few instructions, and is needed again behind a loop, is made again there. It would hold
// registers all through the loop, which ptxas then lacks for loads ahead of time. Does nothing in functions
// without such addresses.
struct RematerializeIds : llvm::PassInfoMixin<RematerializeIds> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
