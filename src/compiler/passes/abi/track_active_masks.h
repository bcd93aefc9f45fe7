// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Where work-items of a sub-group have parted, the mask of those that exchange values is carried along from
// the branch at which they did: there, the ones that were together vote on the way that each takes. What
// `activemask` says instead depends on how the hardware happens to run them: it need not have joined them
// again where their ways have met, and does not in code that ptxas has not optimised. In control flow that
// does not nest (a block behind either of two conditions, a loop left by several ways) nobody knows who will
// come; such functions get nested control flow first (nest_control_flow.h). To a kernel come all; to a
// function those that PassActiveMasks' parameter names. Does nothing to other functions, and to those
// without `activemask`.
struct TrackActiveMasks : llvm::PassInfoMixin<TrackActiveMasks> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
