// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// LLVM 22: a vector of three elements has the size of four, but NVPTX declares a variable of that type with three, and omits the padding
// where it writes the initial values of an array or structure of such vectors. It also writes the initial value of a half or bfloat
// variable in the bits of a double. Such a vector, and an array or structure of them with values, becomes a packed structure with the
// padding as bytes; a half or bfloat becomes a structure of one member:
//
//   global <3 x i32> <i32 1, i32 2, i32 3>
//       →  global <{ [3 x i32], [4 x i8] }> <{ [3 x i32] [i32 1, i32 2, i32 3], [4 x i8] zeroinitializer }>
//
// Does nothing to variables of other types, and to arrays and structures that are zero or undefined, which NVPTX declares in full size.
//
// To go when VariablesOfEveryType.* (tests/api/program_variables.cpp) pass without it.
struct NvptxPaddedGlobals : llvm::PassInfoMixin<NvptxPaddedGlobals> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
