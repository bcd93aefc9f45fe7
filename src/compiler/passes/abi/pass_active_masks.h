// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// A function that asks for the mask of the active work-items, and that has not been inlined, is told by its
// callers who comes to it, as a last argument: TrackActiveMasks carries the mask on from there. Its callers
// ask in its place, and are told in turn. Does nothing to kernels, to functions that do not ask, and to
// functions whose address is taken (by blocks, and by function pointers of Clang's extension): who comes to
// those only the hardware knows, and they keep `activemask`.
struct PassActiveMasks : llvm::PassInfoMixin<PassActiveMasks> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
