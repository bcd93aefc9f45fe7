// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22: a vector of three has the size of four, but NVPTX declares a variable of that type with three
// elements, and leaves the fourth out where it writes the values of an array or a structure of them. The
// value of a variable that is a half or a bfloat it writes in the bits of a double. A vector of three, and an
// array or a structure of them that has values, becomes a packed structure with the padding as bytes; a
// half or a bfloat becomes a structure of itself. Does nothing to variables of other types, nor to arrays
// and structures that are zero or undefined, which NVPTX declares in their whole size.
//
// To go when VariablesOfEveryType.* (tests/api/program_variables.cpp) pass without it.
struct NvptxPaddedGlobals : llvm::PassInfoMixin<NvptxPaddedGlobals> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
