// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// Answers the library's image queries that SpecializeImageQueries has left, with what was loaded from the image's descriptor at run time:
//
//   %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)    →  %loaded
//   %known = call i1 @__clcuda_ask_image_read_is_known(ptr %image, i64 20)  →  false
//
// Does nothing in functions without such queries.
struct ResolveImageQueries : llvm::PassInfoMixin<ResolveImageQueries> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
