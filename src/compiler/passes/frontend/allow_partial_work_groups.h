// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/options.h"

namespace clcuda::compiler {

// Kernels of C++ for OpenCL may be launched with an ND-range that the work-group size does not divide:
//
//   "uniform-work-group-size"="true"    →  "uniform-work-group-size"="false"
//
// Clang treats that language as OpenCL C 1.x, in which all work-groups have the same size, and adds the attribute. Does nothing in OpenCL
// C, or with -cl-uniform-work-group-size.
class AllowPartialWorkGroups : public llvm::PassInfoMixin<AllowPartialWorkGroups> {
 public:
  explicit AllowPartialWorkGroups(const Options& options) : options_(options) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Options options_;
};

}  // namespace clcuda::compiler
