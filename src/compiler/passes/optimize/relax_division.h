// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// The largest error of x / y in single precision, in ulp, unless correct rounding is asked for (OpenCL C §7.4).
inline constexpr float kDivisionBound = 2.5f;

// Divisions get the accuracy that the language asks for. Single precision whose !fpmath, which Clang adds, allows 2.5 ulp:
//
//   fdiv float %x, %y, !fpmath !{float 2.5}    →  call float @llvm.nvvm.div.full(float %x, float %y), rcp.approx for 1 / x
//   fdiv afn float %x, %y, !fpmath …           →  call float @llvm.nvvm.div.approx.f(float %x, float %y)
//
// Half precision is always divided in single precision and rounded correctly. Runs after optimisation, which simplifies fdiv but not
// intrinsics. Does nothing to correctly rounded divisions of single precision, and to double precision.
struct RelaxDivision : llvm::PassInfoMixin<RelaxDivision> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clcuda::compiler
