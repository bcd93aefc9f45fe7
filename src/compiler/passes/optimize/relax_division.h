// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Of x / y in single precision, in ulp (OpenCL C §7.4).
inline constexpr float kDivisionBound = 2.5f;

// Division in the accuracy that the language asks for: of single precision where Clang's note allows 2.5 ulp,
// by div.full, or rcp.approx for 1 / x, or div.approx with unsafe math optimizations (the flag afn); of halves always, correctly rounded, in single precision. (After
// optimisation, which knows fdiv.) Does nothing to correctly rounded division of single and double precision.
struct RelaxDivision : llvm::PassInfoMixin<RelaxDivision> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
