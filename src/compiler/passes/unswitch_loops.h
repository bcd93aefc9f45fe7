// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// A small loop with a condition that is the same in all turns and for all work-items becomes two, one for each side. LLVM leaves such loops
// alone where work-items may go different ways: two loops one after the other would be slower than one. Loops that are not
// simplified and in LCSSA form are left alone. To run ahead of passes that simplify what is left of each.
struct UnswitchLoops : llvm::PassInfoMixin<UnswitchLoops> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
