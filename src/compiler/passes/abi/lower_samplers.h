// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace clcuda::compiler {

// Samplers become numbers (their encoding: builtins/image_descriptor.h). Literal samplers become constants, and a kernel's argument of
// type sampler_t an i64:
//
//   call ptr addrspace(4) @__translate_sampler_initializer(i32 39)    →  inttoptr (i64 14 to ptr addrspace(4))
//   @k(ptr addrspace(4) %s)                                           →  @k(i64 %s)
//
// Runs before LowerConstantPointers, which would take them for pointers to constant memory. Does nothing in modules without samplers.
struct LowerSamplers : llvm::PassInfoMixin<LowerSamplers> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// The literal samplers of the program: bit n is set if it contains the sampler of number n.
std::uint32_t literal_samplers(const llvm::Module& module);

}  // namespace clcuda::compiler
