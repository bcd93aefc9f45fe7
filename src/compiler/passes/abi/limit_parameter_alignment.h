// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/Alignment.h>

namespace clcuda::compiler {

// ptxas aligns a parameter's address in the constant bank, not its offset in the parameter buffer, and the buffer begins at a multiple of
// 16 that differs between chips (0x210 on sm_90). Up to this alignment the two are the same everywhere.
inline constexpr llvm::Align kMostParameterAlignment = llvm::Align::Constant<16>();

// Parameters of kernels lie where KernelInfo says: none is aligned to more than `kMostParameterAlignment`.
// Does nothing to parameters of less alignment.
struct LimitParameterAlignment : llvm::PassInfoMixin<LimitParameterAlignment> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
