// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// Makes code of one variant of code that serves both:
//
//   %uniform = call i1 @__clcuda_uniform_launch()                          →  i1 true, or false in the general variant
//   %r = call ptr @__clcuda_launch_record(); %v = load i64, ptr %r         →  the load is !invariant.load
//
// The call for the launch record (builtins/launch_record.h) becomes one without side effects, which can be moved, merged and dropped, as
// the record does not change while a kernel runs. Does nothing in programs that call neither function.
class ResolveLaunchVariant : public llvm::PassInfoMixin<ResolveLaunchVariant> {
 public:
  explicit ResolveLaunchVariant(Variant variant) : variant_(variant) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Variant variant_;
};

}  // namespace clcuda::compiler
