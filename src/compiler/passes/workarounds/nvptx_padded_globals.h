// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22: loads and stores of a vector of three reach over four elements, and the next one begins behind
// them, but NVPTX knows that neither where it declares a variable nor where it writes the values of an array
// or a structure. A half by itself it writes in the bits of a double. Such variables become packed structures
// that have the padding as bytes. Does nothing to variables of other types, and to arrays and structures
// without values.
//
// To go when VariablesOfEveryType.* (tests/api/program_variables.cpp) pass without it.
struct NvptxPaddedGlobals : llvm::PassInfoMixin<NvptxPaddedGlobals> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
