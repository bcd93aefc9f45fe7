// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// A hidden parameter brings the parts of image descriptors that the kernel loads (texture and surface objects, with the channel order),
// which the host knows at the launch. A fetch then reads the texture object from the parameters and need not wait for a load from global
// memory:
//
//   asm "ld.global.nc.v2.u64 {$0, $1}, [$2];" (ptr addrspace(1) %image)    →  two loads from %image_parts, a byval parameter
//
// The parameter's attribute kImagePartsAttribute lists the parts, as pairs of argument and offset in the descriptor. Runs before
// LowerLaunchRecord, whose parameter is the last. Does nothing to kernels of blocks, to those that load nothing from a descriptor of an
// argument, and to those with more than 2 KB of other parameters.
struct PromoteImageDescriptors : llvm::PassInfoMixin<PromoteImageDescriptors> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
