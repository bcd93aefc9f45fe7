// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

struct Lowering;

// The sine and the cosine of the same angle become one call of a function of the library, which reduces the angle once and has the same
// results. Inlined separately, each reduces it, with a branch for large angles, and has both polynomials:
//
//   %s = call float @_Z3sinf(float %x)    →  %b = call <2 x float> @_Z20__clcuda_sine_cosinef(float %x)
//   %c = call float @_Z3cosf(float %x)       %s = extractelement <2 x float> %b, i32 0
//                                            %c = extractelement <2 x float> %b, i32 1
//
// Runs before the library is linked, and puts private variables of the functions that it looks at into registers first, without which the
// angles are different loads. Does nothing to calls in different blocks, to half precision, where the two have nothing in common, to the
// approximations that relax_math_functions.h has chosen, in functions of more than kMostToOptimize instructions, and where `lowering` asks
// for no optimisation.
class MergeSineCosine : public llvm::PassInfoMixin<MergeSineCosine> {
 public:
  explicit MergeSineCosine(const Lowering& lowering);
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& managers) const;

 private:
  bool applies_;
};

}  // namespace clcuda::compiler
