// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/Alignment.h>

namespace clcuda::compiler {

// The largest alignment of a parameter, in bytes. ptxas aligns a parameter's address in the constant bank, not its offset in the parameter
// buffer, and the buffer begins at a multiple of 16 that differs between chips (0x210 on sm_90). Up to this alignment the two are the same
// everywhere.
inline constexpr llvm::Align kMostParameterAlignment = llvm::Align::Constant<16>();

// Limits the alignment of kernels' parameters to kMostParameterAlignment, so that each lies at the offset that KernelInfo states:
//
//   @k(<8 x i32> %a)                        →  @k(<8 x i32> alignstack(16) %a)
//   @k(ptr byval(<8 x i32>) align 32 %b)    →  @k(ptr byval(<8 x i32>) align 16 alignstack(16) %b)
//
// Does nothing to parameters of less alignment and to functions that are no kernels.
struct LimitParameterAlignment : llvm::PassInfoMixin<LimitParameterAlignment> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
