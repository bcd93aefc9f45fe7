// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace clcuda::compiler {

// Samplers become numbers (builtins/image_descriptor.h), those that the program spells out and those that are
// arguments. (Before LowerConstantPointers, to which they are pointers.) Does nothing in modules without
// samplers.
struct LowerSamplers : llvm::PassInfoMixin<LowerSamplers> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// The numbers of the samplers that the program spells out, as a set of bits.
std::uint32_t literal_samplers(const llvm::Module& module);

}  // namespace clcuda::compiler
