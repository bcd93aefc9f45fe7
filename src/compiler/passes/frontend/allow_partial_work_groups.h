// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/options.h"

namespace clcuda::compiler {

// Clang takes C++ for OpenCL for a language as old as OpenCL 1, in which all work-groups of an ND-range have
// the same size; this takes the promise back. Does nothing in OpenCL C, or with -cl-uniform-work-group-size.
class AllowPartialWorkGroups : public llvm::PassInfoMixin<AllowPartialWorkGroups> {
 public:
  explicit AllowPartialWorkGroups(const Options& options) : options_(options) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Options options_;
};

}  // namespace clcuda::compiler
