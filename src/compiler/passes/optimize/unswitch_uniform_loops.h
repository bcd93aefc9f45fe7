// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// A small loop with a condition that is the same in all turns and for all work-items becomes two, one for
// each side. LLVM leaves such loops alone where work-items may go different ways: two loops one after the
// other would be slower than one. Does nothing to loops that are not simplified and in LCSSA form, and to
// those of more than 48 instructions. To run ahead of passes that simplify what is left of each.
struct UnswitchUniformLoops : llvm::PassInfoMixin<UnswitchUniformLoops> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
