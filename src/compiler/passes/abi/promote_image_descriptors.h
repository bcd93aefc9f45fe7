// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// What a kernel loads from the descriptors of its images, texture and surface objects with the orders of
// channels, is known at the launch: a hidden parameter brings it along, so that a fetch need not wait for a
// load. (Before LowerLaunchRecord, which adds the last parameter.) Does nothing to kernels of blocks, to
// those that load nothing from a descriptor of theirs, and to those with more than 2 KB of other parameters.
struct PromoteImageDescriptors : llvm::PassInfoMixin<PromoteImageDescriptors> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
